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
process.on('SIGTERM', () => process.exit())
createServer((_request, response) => {
  response.writeHead(FAULT === 'check' ? 404 : 200).end()
}).listen(8080)
