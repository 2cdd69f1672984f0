// Runs in a pod by `node -e`, so it can import only Node's modules. Connects to each `host:port` of
// TARGETS, separated by commas, and prints what happened, as JSON.
import { connect } from 'node:net'

async function dial(target: string): Promise<readonly [string, string]> {
  const [host = '', port = ''] = target.split(':')
  const socket = connect({ host, port: Number(port), timeout: 5000 })
  return await new Promise((resolve) => {
    const end = (result: string) => {
      socket.destroy()
      resolve([target, result])
    }
    socket.once('connect', () => end('ok'))
    socket.once('timeout', () => end('timeout'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? String(error)))
  })
}

const targets = (process.env['TARGETS'] ?? '').split(',')
process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(targets.map(dial)))))
