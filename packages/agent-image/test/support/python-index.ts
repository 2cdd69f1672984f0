import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** An index of Python packages that asks for a login. */
export interface PythonIndex extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly address: string
}

/** Serves the wheels of a folder as `/simple/NAME/` to callers with `login`: `user:password`. */
export async function servePythonIndex(folder: string, login: string): Promise<PythonIndex> {
  const expected = `Basic ${Buffer.from(login).toString('base64')}`
  const server = createServer((incoming, answer) => {
    if (incoming.headers.authorization !== expected)
      return void answer.writeHead(401, { 'www-authenticate': 'Basic realm="packages"' }).end()
    const [, kind, name = ''] = (incoming.url ?? '').split('/').map(decodeURIComponent)
    const body =
      kind === 'files'
        ? readFile(join(folder, name))
        : readdir(folder).then((files) =>
            files
              .filter((file) => file.startsWith(`${name}-`))
              .map((file) => `<a href="/files/${encodeURIComponent(file)}">${file}</a>`)
              .join('\n'),
          )
    body.then(
      (content) =>
        answer
          .writeHead(content.length === 0 ? 404 : 200, {
            'content-type': kind === 'files' ? 'application/zip' : 'text/html',
          })
          .end(content),
      () => answer.writeHead(404).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
