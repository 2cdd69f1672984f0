import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { once } from 'node:events'
import type Provider from 'oidc-provider'
import type { DevelopmentUser } from './identities.ts'
import { loginPage, messagePage } from './pages.ts'

/** Serves the provider and its login page. */
export async function serveProvider(
  provider: Provider,
  users: readonly DevelopmentUser[],
  listen: { readonly host: string; readonly port: number },
): Promise<Server> {
  const callback = provider.callback()
  const server = createServer((request, response) => {
    if (!isOwnHost(request.headers.host, provider.issuer)) {
      response.writeHead(421, { 'content-type': 'text/plain' })
      response.end(`this is the identity provider at ${provider.issuer}, not another host\n`)
      return
    }
    const answer = request.url?.startsWith('/interaction/')
      ? answerInteraction(provider, users, request, response)
      : callback(request, response)
    answer.catch((error: unknown) => {
      if (!response.headersSent)
        response.writeHead(400, { 'content-type': 'text/html; charset=utf-8' })
      response.end(
        messagePage('Sign-in failed', error instanceof Error ? error.message : String(error)),
      )
    })
  })
  server.listen(listen.port, listen.host)
  await once(server, 'listening')
  return server
}

/**
 * Whether a request is for this provider. A website could let its own host name resolve to this
 * address (DNS rebinding), and then sign in as any user in a visitor's browser. Addresses are not
 * resolved, and probes use them.
 */
function isOwnHost(host: string | undefined, issuer: string): boolean {
  const hostname = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return isIP(hostname) !== 0 || hostname === 'localhost' || hostname === new URL(issuer).hostname
}

async function answerInteraction(
  provider: Provider,
  users: readonly DevelopmentUser[],
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { uid, prompt } = await provider.interactionDetails(request, response)
  if (prompt.name !== 'login') throw new Error(`unexpected prompt ${prompt.name}`)
  const form = request.method === 'POST' ? await readForm(request) : undefined
  const name = form?.get('login')?.trim().toLowerCase()
  const user = users.find((each) => each.username === name)
  if (user) {
    await provider.interactionFinished(request, response, { login: { accountId: user.subject } })
    return
  }
  const problem = form && 'There is no user with this name.'
  response.writeHead(form ? 422 : 200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(
    loginPage(
      `/interaction/${uid}`,
      users.map((each) => each.username),
      problem,
    ),
  )
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > 10_000) throw new Error('the form is too large')
  }
  return new URLSearchParams(text)
}
