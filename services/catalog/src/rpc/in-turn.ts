import type { DescService } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { userKey } from '@slipway/shared/auth'
import { Unavailable } from '@slipway/shared/errors'
import { FairQueue } from '@slipway/shared/fair-queue'
import { optionalUser } from '@slipway/shared/rpc'

const WAITING = { total: 2_000, perUser: 1_000, perAccount: 2_000 }
const RETRY_AFTER_MS = 1_000

/** All callers without a token count as one user. */
const ANONYMOUS = 'anonymous'

/** A handler of a unary RPC. */
type Handler = (request: object, call: HandlerContext) => Promise<object>

/** Bounds the calls that use the database: a user gets at most half of its connections. */
export function createCallQueue(connections: number): FairQueue {
  const perUser = Math.max(1, Math.floor(connections / 2))
  return new FairQueue({
    running: { total: connections, perUser, perAccount: connections },
    waiting: WAITING,
    refusal: () =>
      new Unavailable('catalog_busy', 'too many calls are waiting for the catalog; retry later', {
        retryAfterMs: RETRY_AFTER_MS,
      }),
  })
}

/**
 * Makes the handlers of a service wait for their caller's turn, so that no caller uses up the
 * connections to the database. `onBehalfOf` returns the user of a call by another service.
 */
export function inTurn<Service extends DescService>(
  queue: FairQueue,
  implementation: ServiceImpl<Service>,
  onBehalfOf: Readonly<Record<string, (request: never) => string | Promise<string>>>,
): ServiceImpl<Service> {
  const handlers = Object.entries(implementation as Readonly<Record<string, Handler>>)
  const wrapped = handlers.map(([name, handler]) => {
    const userOf = onBehalfOf[name] ?? (() => ANONYMOUS)
    const waiting: Handler = async (request, call) => {
      const caller = optionalUser(call)
      const user = caller ? userKey(caller) : await userOf(request as never)
      using _turn = await queue.wait({ user }, call)
      return await handler(request, call)
    }
    return [name, waiting] as const
  })
  return Object.fromEntries(wrapped) as unknown as ServiceImpl<Service>
}
