import type { FastifyReply } from 'fastify'

/** Why a sign-in has failed: the status of the page, and its texts. */
const FAILURES = {
  refused: [403, 'The identity provider has not confirmed who you are.'],
  stale: [
    400,
    'This sign-in was begun in another browser, or too long ago, or is already complete.',
  ],
  tooMany: [429, 'There were too many sign-ins from your network, or by you. Try again soon.'],
  tooManyFailed: [429, 'Too many sign-ins from your network have failed. Try again in a minute.'],
  unavailable: [503, 'The identity provider or the catalog does not respond. Try again soon.'],
} as const

/** Why a sign-in has failed. */
export type SignInFailure = keyof typeof FAILURES

/** Sends a page for a sign-in that has failed. It repeats nothing of the request. */
export function sendFailurePage(reply: FastifyReply, failure: SignInFailure): FastifyReply {
  const [status, text] = FAILURES[failure]
  return reply.code(status).type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Sign-in failed · Slipway</title>
  </head>
  <body>
    <main>
      <h1>Sign-in failed</h1>
      <p>${text}</p>
      <p><a href="/auth/sign-in">Sign in again</a></p>
    </main>
  </body>
</html>
`)
}
