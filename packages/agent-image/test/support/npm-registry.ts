import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

/** A package of the registry: its package.json, and its other files. */
export interface PublishedPackage {
  readonly manifest: { readonly name: string; readonly version: string } & Readonly<
    Record<string, unknown>
  >
  readonly files?: Readonly<Record<string, string>>
}

/** A registry for npm packages on this machine, which needs a login. */
export interface NpmRegistry extends AsyncDisposable {
  /** With `/` at its end. */
  readonly url: string
  readonly token: string
  /** The paths of all requests. */
  readonly requests: string[]
  readonly publish: (added: PublishedPackage) => Promise<void>
}

/** Starts a registry with these packages. */
export async function startNpmRegistry(first: readonly PublishedPackage[]): Promise<NpmRegistry> {
  const token = 'token-of-the-registry'
  const requests: string[] = []
  const tarballs = new Map<string, Buffer>()
  const packages: PublishedPackage[] = []
  const publish: NpmRegistry['publish'] = async (added) => {
    const { manifest, files } = added
    tarballs.set(
      `/tarballs/${manifest.name}-${manifest.version}.tgz`,
      await tarballOf({ 'package.json': JSON.stringify(manifest), ...files }),
    )
    packages.push(added)
  }
  for (const each of first) await publish(each)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/')
    requests.push(path)
    if (request.headers.authorization !== `Bearer ${token}`)
      return response.writeHead(401).end('{}')
    const tarball = tarballs.get(path)
    if (tarball !== undefined) return response.end(tarball)
    const versions = packages.filter(({ manifest }) => `/${manifest.name}` === path)
    if (versions.length === 0) return response.writeHead(404).end('{}')
    const described = versions.map(({ manifest }) => {
      const file = `/tarballs/${manifest.name}-${manifest.version}.tgz`
      const hash = createHash('sha512').update(tarballs.get(file) ?? '')
      const dist = {
        tarball: `${url.slice(0, -1)}${file}`,
        integrity: `sha512-${hash.digest('base64')}`,
      }
      const hasInstallScript = 'scripts' in manifest
      return [manifest.version, { ...manifest, dist, hasInstallScript }] as const
    })
    const latest = described.at(-1)?.[0]
    // Old enough for managers that wait before they trust a new version.
    const time = Object.fromEntries(
      described.map(([version]) => [version, '2020-01-01T00:00:00.000Z']),
    )
    const document = {
      name: path.slice(1),
      'dist-tags': { latest },
      versions: Object.fromEntries(described),
      time,
    }
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(document))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    token,
    requests,
    publish,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function tarballOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack()
  for (const [path, content] of Object.entries(files)) {
    const mode = content.startsWith('#!') ? 0o755 : 0o644
    archive.entry({ name: `package/${path}`, mode, mtime: new Date(0) }, content)
  }
  archive.finalize()
  return await buffer(archive.pipe(createGzip()))
}
