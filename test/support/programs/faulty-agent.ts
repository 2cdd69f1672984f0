import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

// The program of an agent that fails in the way that FAULT names. A test copies it into an image.

const { FAULT, SERVICE_TOKEN } = process.env

// Lines of stdout and stderr may change places, because the node reads them separately.
process.stderr.write(`starting with fault ${FAULT}\n`)
if (FAULT === 'credential') {
  process.stderr.write(`the service refused SERVICE_TOKEN ${SERVICE_TOKEN}: 401 Unauthorized\n`)
  process.exit(3)
}
if (FAULT === 'memory') {
  const all: Buffer[] = []
  for (;;) all.push(Buffer.alloc(8 * 1024 * 1024, 1))
}
if (FAULT === 'chatter') {
  // 1,000 lines a second.
  let count = 0
  setInterval(() => {
    for (let line = 0; line < 50; line += 1) {
      count += 1
      process.stdout.write(`line ${count} of an agent that says everything that it does\n`)
    }
  }, 50)
}
if (FAULT === 'variable') throw new Error('Missing required environment variable: WEATHER_API')
if (FAULT === 'disk') writeFileSync('/dev/full', 'too much') // it has no space
if (FAULT === 'end') process.exit()
if (FAULT === 'refused') process.stderr.write('openai.AuthenticationError: Error code: 401\n')
if (FAULT === 'package') await import(['no', 'such', 'package'].join('-'))
if (FAULT === 'service') await fetch('http://no-such-service:6379')
if (FAULT === 'unreachable')
  await fetch('http://no-such-service:6379').catch((error: Error) =>
    process.stderr.write(`${String(error.cause)}\n`),
  )
process.on('SIGTERM', () => process.exit())
const port = FAULT === 'port' ? 9090 : 8080
const host = FAULT === 'local' ? '127.0.0.1' : '0.0.0.0'
createServer((_request, response) => {
  response.writeHead(FAULT === 'check' ? 404 : 200).end()
}).listen(port, host, () => {
  if (port !== 8080 || host !== '0.0.0.0') process.stderr.write(`listening on ${host}:${port}\n`)
})
