import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { acceptedEncoding } from '../accept-encoding.ts'
import type { ConsoleFile, ConsoleFiles } from '../console/console-files.ts'
import { entityTag, matchesEtag } from '../entity-tag.ts'
import { GUIDES_PATH } from '../guides/pages.ts'
import { addVary } from '../vary.ts'
import { DOCUMENT_PATH } from './openapi.ts'

/** The console loads everything from here, and no page may frame it. */
const POLICY =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'"

/** The console's own addresses. Its page finds out what to show at each. */
const PAGES = ['/accounts/*', '/catalog', '/catalog/*']

/** Where the API is described, for people and for programs. */
const LINKS = {
  name: 'Slipway',
  api: '/api/v1',
  docs: '/docs',
  guides: GUIDES_PATH,
  openapi: DOCUMENT_PATH,
}

const hidden = { schema: { hide: true } } as const

/**
 * Serves the console to browsers that open `/` or one of its pages, and links to the API at `/` to
 * programs. Without the console, browsers are redirected from `/` to `/docs`.
 */
export function addConsolePages(app: FastifyInstance, files: ConsoleFiles | undefined): void {
  app.get('/', hidden, async (request, reply) => {
    addVary(reply, 'Accept')
    if (!isNavigation(request)) return LINKS
    return files === undefined ? reply.redirect('/docs') : sendPage(request, reply, files.page)
  })
  if (files === undefined) return

  for (const path of PAGES) {
    app.get(path, hidden, (request, reply) => {
      addVary(reply, 'Accept')
      return isNavigation(request) ? sendPage(request, reply, files.page) : reply.callNotFound()
    })
  }
  app.get<{ Params: { '*': string } }>('/assets/*', hidden, (request, reply) => {
    const file = files.assets.get(request.params['*'])
    if (file === undefined) return reply.callNotFound()
    // The name changes with the content.
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return sendFile(request, reply, file)
  })
}

function isNavigation({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: ConsoleFile): FastifyReply {
  reply.header('cache-control', 'no-cache').header('content-security-policy', POLICY)
  return sendFile(request, reply, page)
}

/** Sends a file in the encoding that the client prefers, or a 304 if the client has it. */
function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  addVary(reply, 'Accept-Encoding')
  const accepted = acceptedEncoding(request.headers['accept-encoding'])
  const compressed = accepted === undefined ? undefined : file.compressed.get(accepted)
  const encoding = compressed === undefined ? undefined : accepted
  const etag = entityTag(file.digest, encoding)
  reply.header('etag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(file.type).send(compressed ?? file.identity)
}
