// Runs in a pod by `node -e`, so it can import only Node's modules. Connects to each `host:port` of
// TARGETS, separated by commas, and prints what happened, as JSON. One after another: after a few
// errors in a row, a kernel sends a pod one ICMP error per second and drops the rest.
import { connect } from 'node:net'

async function dial(target: string): Promise<string> {
  const [host = '', port = ''] = target.split(':')
  const socket = connect({ host, port: Number(port), timeout: 5000 })
  return await new Promise((resolve) => {
    const end = (result: string) => {
      socket.destroy()
      resolve(result)
    }
    // Node.js also emits `connect` when an ICMP error arrives while the kernel connects; the error
    // follows.
    socket.once('connect', () => {
      if (socket.remoteAddress !== undefined) end('ok')
    })
    socket.once('timeout', () => end('timeout'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? String(error)))
  })
}

const seen: Record<string, string> = {}
for (const target of (process.env['TARGETS'] ?? '').split(',')) seen[target] = await dial(target)
process.stdout.write(JSON.stringify(seen))
