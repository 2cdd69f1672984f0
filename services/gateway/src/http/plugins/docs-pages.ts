import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'

import { guidePages } from '../guides/pages.ts'
import { DOCUMENT_PATH } from './openapi.ts'

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="7" fill="#0b5c7d"/>' +
  '<path d="M4 12h17l7 12H11z" fill="#fff"/>' +
  '<path d="M4 26h24" stroke="#7fd1e8" stroke-width="2"/>' +
  '</svg>'

const STYLE = `
:root { color-scheme: light }
body { background: #f6f8fa }
.swagger-ui { font-family: system-ui, sans-serif; --accent: #0b5c7d }
.swagger-ui .info { margin: 24px 0 }
.swagger-ui .info .title, .swagger-ui .opblock-tag { font-family: inherit; color: #12303d }
.swagger-ui .info .title small { background: var(--accent) }
.swagger-ui .info .title small.version-stamp { display: none }
.swagger-ui .info .markdown { max-width: 46em }
.swagger-ui .info .markdown h2 { font-size: 18px; margin: 24px 0 8px }
.swagger-ui .info a, .swagger-ui .info li a { color: var(--accent) }
.swagger-ui .scheme-container { background: none; box-shadow: none; padding: 8px 0 }
.swagger-ui .btn.authorize { border-color: var(--accent); color: var(--accent) }
.swagger-ui .btn.authorize svg { fill: var(--accent) }
.swagger-ui .btn.execute { background: var(--accent); border-color: var(--accent) }
.swagger-ui .opblock { box-shadow: none; border-radius: 6px }
`

/** Serves pages to browse the API at `/docs`, with the guides below it. */
export async function addDocsPages(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiHooks: { onRequest: redirectDocuments },
    theme: {
      title: 'Slipway API',
      css: [{ filename: 'slipway.css', content: STYLE }],
      favicon: [
        {
          filename: 'icon.svg',
          rel: 'icon',
          type: 'image/svg+xml',
          sizes: 'any',
          content: ICON,
        },
      ],
    },
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      filter: true,
      // A token that a script of this origin could read later is not stored.
      persistAuthorization: false,
      tryItOutEnabled: true,
    },
  })
  for (const { path, render } of guidePages()) {
    let html: string | undefined
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      html ??= render()
      return await reply.type('text/html; charset=utf-8').send(html)
    })
    // As people type it.
    if (path.endsWith('.md'))
      app.get(path.slice(0, -'.md'.length), { schema: { hide: true } }, (_request, reply) =>
        reply.redirect(path),
      )
  }
}

/** The pages have their own copies of the document, which would be made for each request. */
const redirectDocuments: onRequestHookHandler = (request, reply, done) => {
  const { url } = request.routeOptions
  if (url === '/docs/json' || url === '/docs/yaml') reply.redirect(DOCUMENT_PATH)
  else done()
}
