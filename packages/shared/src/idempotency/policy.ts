import { createHash } from 'node:crypto'

import { create, fromBinary, toBinary, type DescMethod, type DescService } from '@bufbuild/protobuf'
import { createContextKey, type HandlerContext, type ServiceImpl } from '@connectrpc/connect'
import type { Kysely } from 'kysely'

import { userKey, type UserCaller } from '../auth/caller.ts'
import { withAdvisoryLock, type Database } from '../db/index.ts'
import { FailedPrecondition, InvalidInput } from '../errors.ts'
import { requireUser } from '../rpc/policies/call-context.ts'
import { findResponse, insertResponse, keyInUse } from './store.ts'

/** A valid key or fingerprint. */
const HEADER_VALUE = /^[\x21-\x7e]{1,255}$/

type UnaryHandler = (request: object, context: HandlerContext) => Promise<object> | object

interface Recorder {
  record<Schema>(db: Kysely<Schema>, response: object): Promise<void>
}

const recorderKey = createContextKey<Recorder | undefined>(undefined, {
  description: 'idempotency',
})

/**
 * Makes the named unary methods accept `x-idempotency-key` and `x-idempotency-fingerprint`. For 24
 * hours a request with the same user, method and key gets the first response again, marked by the
 * trailer `x-idempotency-replayed`. It gets a Conflict while the first request is running, and
 * FailedPrecondition `idempotency_key_reused` if its fingerprint differs. Only successful responses
 * are stored. A replay changes nothing, so it checks the user but not their current permissions.
 * The key is released when the process dies. `idempotencyMigration` creates the table, and
 * `idempotencyOwnerMigration` the column that bounds what is stored for a user.
 */
export function withIdempotencyKeys<Service extends DescService, Schema>(
  service: Service,
  implementation: ServiceImpl<Service>,
  methods: readonly (keyof Service['method'] & string)[],
  db: Database<Schema>,
): ServiceImpl<Service> {
  const handlers = implementation as unknown as Readonly<Record<string, UnaryHandler>>
  const wrapped = methods.map((name) => {
    const method = service.method[name]
    const handler = handlers[name]
    if (method?.methodKind !== 'unary' || handler === undefined)
      throw new Error(`${name} is not a unary method`)
    return [name, withKey(method, handler, db)] as const
  })
  return { ...implementation, ...Object.fromEntries(wrapped) }
}

/**
 * Stores a handler's response in the transaction of its writes, so that either both are committed
 * or neither is. Does nothing for a call without a key. If a handler doesn't call this, its
 * response is stored after it returns.
 */
export async function recordResponse<Schema>(
  context: HandlerContext,
  trx: Kysely<Schema>,
  response: object,
): Promise<void> {
  await context.values.get(recorderKey)?.record(trx, response)
}

function withKey<Schema>(
  method: DescMethod,
  handler: UnaryHandler,
  db: Database<Schema>,
): UnaryHandler {
  return async (request, context) => {
    const key = context.requestHeader.get('x-idempotency-key')
    if (key === null) return await handler(request, context)
    const fingerprint = context.requestHeader.get('x-idempotency-fingerprint') ?? ''
    if (!HEADER_VALUE.test(key) || !HEADER_VALUE.test(fingerprint)) {
      throw new InvalidInput(
        'invalid_argument',
        'the idempotency key and its fingerprint must each have 1 to 255 visible characters',
      )
    }
    const user = requireUser(context)
    const scope = scopeOf(user, method, key)
    // The lock belongs to the process's connection: when the process dies, a retry can start.
    const outcome = await withAdvisoryLock(
      db,
      `idempotency ${scope.toString('base64')}`,
      {},
      async () => {
        const stored = await findResponse(db, scope)
        if (stored === undefined)
          return await runOnce(
            { method, handler, db, scope, owner: ownerOf(user), fingerprint },
            request,
            context,
          )
        if (stored.fingerprint !== fingerprint) {
          throw new FailedPrecondition(
            'idempotency_key_reused',
            'the idempotency key was already used for a different request; use a new key',
          )
        }
        context.responseTrailer.set('x-idempotency-replayed', 'true')
        return fromBinary(method.output, stored.response)
      },
    )
    if (!outcome.acquired) throw keyInUse()
    return outcome.result
  }
}

interface Work<Schema> {
  readonly method: DescMethod
  readonly handler: UnaryHandler
  readonly db: Database<Schema>
  readonly scope: Buffer
  readonly owner: Buffer
  readonly fingerprint: string
}

async function runOnce<Schema>(
  work: Work<Schema>,
  request: object,
  context: HandlerContext,
): Promise<object> {
  const { method, handler, scope, owner, fingerprint } = work
  let isRecorded = false
  const recorder: Recorder = {
    async record(db, response) {
      const bytes = toBinary(
        method.output,
        create(method.output, response as Record<string, unknown>),
      )
      await insertResponse(db, { scope, owner, fingerprint, response: bytes })
      isRecorded = true
    },
  }
  context.values.set(recorderKey, recorder)
  const response = await handler(request, context)
  if (!isRecorded) await recorder.record(work.db, response)
  return response
}

function scopeOf({ realm, subject }: UserCaller, method: DescMethod, key: string): Buffer {
  return hashOf([realm, subject, method.parent.typeName, method.name, key])
}

/** Hashes the same text for a person as earlier releases did. */
function ownerOf(caller: UserCaller): Buffer {
  return createHash('sha256').update(userKey(caller)).digest()
}

function hashOf(parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
