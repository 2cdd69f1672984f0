// Runs in a pod (by `node -e`, so it may import only what Node brings): tells what reached it,
// streams, and upgrades.
import { createServer } from 'node:http'

const server = createServer((incoming, outgoing) => {
  if (incoming.url === '/stream') {
    // The second half comes when the client has had the first: it says so by the end of its
    // request.
    outgoing.write('first half')
    incoming.resume().once('end', () => outgoing.end(', second half'))
    return
  }
  const { method, url, headers, socket } = incoming
  outgoing.end(
    JSON.stringify({ method, url, headers, from: socket.remoteAddress?.replace('::ffff:', '') }),
  )
})
server.on('upgrade', (_incoming, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
  socket.pipe(socket)
})
server.listen(8080)
