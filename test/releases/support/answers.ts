import type { Services } from './services.ts'

/** A request. */
interface Question {
  /** The user, or undefined without a token. */
  readonly as?: string
  /** Below `/api/v1`. */
  readonly path: string
}

/** A request, and the body of the response of a release. */
export interface RecordedAnswer extends Question {
  readonly body: unknown
}

const QUESTIONS: readonly (readonly [as: string | undefined, path: string])[] = [
  ['alice', '/me'],
  ['bob', '/me'],
  [undefined, '/agents?include=spec,readme'],
  [undefined, '/agents?q=support&account=alice&tag=example'],
  [undefined, '/agents/alice'],
  [undefined, '/agents/alice/helper'],
  ['alice', '/agents/alice'],
  ['alice', '/agents/alice/helper'],
  ['bob', '/agents/acme-labs'],
  ['bob', '/agents/acme-labs/handbook'],
  ['bob', '/agents/acme-labs/handbook/config'],
  ['bob', '/agents/acme-labs/handbook/deployment-template?format=json'],
  ['bob', '/agents/alice/helper/deployment-template?format=json'],
  ['bob', '/accounts/acme-labs/members'],
  ['alice', '/deployments?account=alice'],
  ['alice', '/agents/alice/helper/deployment'],
  ['alice', '/agents/alice/helper/deployment/revisions'],
  ['alice', '/agents/alice/worker/deployment'],
  ['alice', '/agents/alice/worker/deployment/ingestions'],
  ['alice', '/agents/alice/worker/deployment/ingestions/docs/runs'],
  ['alice', '/agents/alice/broken/deployment'],
  ['bob', '/agents/bob/shared/deployment'],
  ['bob', '/agents/bob/shared/deployment/revisions'],
]

/** What can be asked about the data of `writeReleaseData`. */
export function questions(): readonly Question[] {
  return QUESTIONS.map(([as, path]) => ({ ...(as !== undefined && { as }), path }))
}

/** Sends the requests; each must succeed. */
export async function readAnswers(
  services: Services,
  asked: readonly Question[],
): Promise<readonly RecordedAnswer[]> {
  const answers = asked.map(async ({ as, path }) => {
    const { status, body } = await services.send(as, 'GET', path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
    // They say that the cluster is away.
    const { warnings: _, ...content } = body
    return { ...(as !== undefined && { as }), path, body: content as unknown }
  })
  return await Promise.all(answers)
}
