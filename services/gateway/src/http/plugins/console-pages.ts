import type { FastifyInstance } from 'fastify'

import type { ConsoleFiles } from '../console/console-files.ts'
import { isNavigation, sendFile, sendPage } from '../console/send-page.ts'
import { GUIDES_PATH } from '../guides/pages.ts'
import { addVary } from '../responses/vary.ts'
import { DOCUMENT_PATH } from './openapi.ts'

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
