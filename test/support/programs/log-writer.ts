import { once } from 'node:events'
import { createServer } from 'node:http'

// The program of an agent that writes N lines of 4 KiB to its log on `/?lines=N`. A test copies it
// into an image.

const LINE = 4096

createServer((request, response) => {
  void (async () => {
    const lines = Number(new URL(request.url ?? '', 'http://agent').searchParams.get('lines') ?? 0)
    for (let line = 1; line <= lines; line += 1) {
      const text = `${line} of ${lines} `.padEnd(LINE - 1, 'x')
      if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain')
    }
    response.end(String(lines))
  })()
}).listen(8080)
