import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:http'

// The program of an agent that reports its user and where it can write. A test copies it into
// images.

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const home = process.env['HOME'] ?? ''
const answer = JSON.stringify({
  uid: process.getuid?.(),
  gid: process.getgid?.(),
  home,
  writable: Object.fromEntries(
    ['/tmp', home, '/app', '/etc'].map((path) => [path, isWritable(path)]),
  ),
})
createServer((_request, response) => response.end(answer)).listen(Number(process.env['PORT'] ?? 80))
