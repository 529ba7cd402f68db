export { default } from './en.js';
