import type { App } from '../http/app-type.ts'
import { DOCUMENT_PATH } from '../http/plugins/openapi.ts'
import { PublicAnswer } from '../public-answers/answer.ts'
import { sendPublicAnswer } from '../public-answers/send.ts'

/** `GET /openapi.json`: the API document. */
export function addGetApiDocumentRoute(app: App): void {
  // Made once, and compressed once: it is large.
  let answer: PublicAnswer | undefined
  app.get(
    DOCUMENT_PATH,
    { config: { access: 'public' }, schema: { hide: true } },
    (request, reply) => {
      answer ??= new PublicAnswer(JSON.stringify(app.swagger()))
      return sendPublicAnswer(request, reply, answer)
    },
  )
}
