// Runs in a pod by `node -e`, so it can import only Node's modules. With TARGETS, it sends its name
// to port 5555 of each of these addresses, some times, because the network may not take the first
// packet. Without, it says when it listens there, and prints each name that it gets, once.
import { createSocket } from 'node:dgram'
import { setTimeout } from 'node:timers/promises'

const { NAME = '', TARGETS } = process.env
const socket = createSocket('udp4')
const names = new Set<string>()
socket.on('message', (message) => {
  const name = String(message)
  if (!names.has(name)) process.stdout.write(`${name}\n`)
  names.add(name)
})
socket.bind(TARGETS === undefined ? 5555 : 0, () => {
  socket.setBroadcast(true)
  if (TARGETS === undefined) process.stdout.write('listening\n')
})
if (TARGETS === undefined) {
  process.on('SIGTERM', () => process.exit())
} else {
  for (let round = 0; round < 8; round += 1) {
    for (const target of TARGETS.split(','))
      socket.send(`${NAME} to ${target}`, 5555, target, () => {})
    await setTimeout(250)
  }
  socket.close()
}
