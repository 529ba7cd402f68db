// Tools that speak every line once: how long it is, and as a pack of recordings to be replaced by real ones.
#pragma once

// Reads GAME, LINE, ARGS, TEXT (tabs between) from standard input and writes GAME, LINE, LANGUAGE,
// milliseconds, what was said. Returns an exit code.
int pack_lengths(int argc, char **argv);
// DIR [LANGUAGE...]: one file for each line that a recording can hold.
int pack_write(int argc, char **argv);
