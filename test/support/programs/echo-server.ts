// Runs in a pod by `node -e`, so it can import only Node's modules. Echoes requests, streams, and
// upgrades connections.
import { createServer } from 'node:http'

const server = createServer((incoming, outgoing) => {
  if (incoming.url === '/stream') {
    // Sends the second half at the end of the request: then the client has the first half.
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
