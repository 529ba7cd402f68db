// The peer of P1, P2 and P4: what a few lines of node with mqtt.js do on the same broker, with nothing made durable.
//   node peer_mqtt.js MODULES latency PORT N PACE_MS      publish to receive, QoS 1, as floor_relay
//   node peer_mqtt.js MODULES rate PORT SECONDS           events a second in JSON and protobuf, heard by another process
// MODULES: the folder that npm has put mqtt into. The event is made anew each time; its protobuf is bytes of the right length.
'use strict'
const [modules, what, port, n, pace] = process.argv.slice(2)
const mqtt = require(require('path').join(modules, 'mqtt'))
// Messages not yet acknowledged; not yet heard: a broker drops what it would have to queue beyond 1,000.
const WINDOW = 128, LAG = 500, PATIENCE_S = 10, PB = 170
const TOPICS = ['peer/public/event', 'peer/public-pb/event']
const now = () => Number(process.hrtime.bigint())
const say = (figures) => console.log(JSON.stringify(figures))

const client = (then) => {
  const one = mqtt.connect(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0 })
  one.on('error', (error) => { console.error(String(error)); process.exit(1) })
  one.on('connect', () => { one.stream.setNoDelay(true); then(one) })
}

const event = (seq) => ({
  header: { boot_id: '525a5fcd684b91ba', seq, at: new Date().toISOString(), table: 'main', audience: 'public', game_id: '56380e5efb826eaa' },
  event: 'action', seat: '', by: 's1', reason: '', code: '', text: '', notation: '', places: [], repairs: [],
  action: { by: 's1', do: 'vote', args: [{ name: 'a', value: 's3' }], text: 's1 vote a=s3' }
})

function latency () {
  const samples = []
  let start
  client((out) => client((input) => {
    const next = () => setTimeout(() => { start = now(); out.publish(TOPICS[0], JSON.stringify(event(samples.length)), { qos: 1 }) }, +pace)
    input.on('message', (_, payload) => {
      JSON.parse(payload)
      samples.push(now() - start)
      if (samples.length < +n) return next()
      samples.sort((a, b) => a - b)
      const at = (p) => samples[Math.round(p * (samples.length - 1))] / 1e3
      say({ name: 'peer', n: samples.length, p50_us: at(0.5), p99_us: at(0.99) })
      process.exit(0)
    })
    input.subscribe(TOPICS[0], { qos: 1 }, next)
  }))
}

function rate () {
  const child = require('child_process').fork(__filename, [modules, 'hear', port])
  const pb = Buffer.alloc(PB, 1)
  let begin, out, sent = 0, onTheWay = 0, heard = 0
  const more = () => {
    const over = now() - begin > +n * 1e9
    while (!over && onTheWay < WINDOW && 2 * sent - heard < LAG) {
      onTheWay += 2
      const text = JSON.stringify(event(++sent))
      out.publish(TOPICS[0], text, { qos: 1 }, done)
      out.publish(TOPICS[1], pb, { qos: 1 }, done)
    }
    if (!over || heard < 2 * sent) return
    say({ name: 'peer_events', per_second: sent / ((now() - begin) / 1e9) })
    child.kill()
    process.exit(0)
  }
  const done = () => { onTheWay--; more() }
  child.on('message', (count) => {
    heard = count
    if (out) return more()
    client((one) => { out = one; begin = now(); more() })
  })
  setTimeout(() => { console.error('messages are lost'); process.exit(1) }, (+n + PATIENCE_S) * 1000)
}

// Tells how many it has heard; 0 when it begins to listen.
function hear () {
  let heard = 0, told = 0
  const tell = () => { told = heard; process.send(heard) }
  process.on('disconnect', () => process.exit(0))
  client((input) => {
    input.on('message', () => { if (++heard - told >= LAG / 10) tell() })
    input.subscribe(TOPICS, { qos: 1 }, () => { tell(); setInterval(() => heard > told && tell(), 5) })
  })
}

({ latency, rate, hear })[what]()
