// Runs in a pod by `node -e`, so it can import only Node's modules. Prints what it can reach there,
// as JSON.
import { writeFileSync } from 'node:fs'
import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'

async function attempt(what: () => unknown): Promise<string> {
  try {
    await what()
    return 'ok'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

async function dial(host: string, port: number): Promise<void> {
  const socket = connect({ host, port, timeout: 5000 })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
      socket.once('timeout', () => reject(new Error('timeout')))
    })
  } finally {
    socket.destroy()
  }
}

const seen = {
  user: process.getuid?.(),
  volume: await attempt(() => writeFileSync('/data/file', 'content')),
  ownNames: await attempt(() => lookup('kubernetes.default.svc.cluster.local')),
  foreignNames: await attempt(() => lookup('example.com')),
  machine: await attempt(() => dial('10.240.0.1', 6443)),
  outside: await attempt(() => dial('192.0.2.1', 80)),
}
process.stdout.write(JSON.stringify(seen))
