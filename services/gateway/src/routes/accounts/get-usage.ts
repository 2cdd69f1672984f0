import type { QuotaUse } from '@slipway/proto/slipway/quota/v1/quota'
import { accountLimitDefinitions, type LimitDefinition } from '@slipway/shared/account-limits'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AccountPath } from '../path-parameters.ts'
import { Usage } from './schemas.ts'

/** Deadline of the RPCs; a service that takes longer is reported as unavailable. */
const TIMEOUT_MS = 5_000

const DEFINITIONS = Object.entries<LimitDefinition>(accountLimitDefinitions).flatMap(
  ([name, { unit, ...definition }]) =>
    unit === 'days' ? [] : [[name, { unit, ...definition }] as const],
)

type Answer = PromiseSettledResult<{ readonly uses: readonly QuotaUse[] }>

/**
 * `GET /accounts/{account}/usage`: the limits of an account. The catalog decides whether the caller
 * may see them, so its errors are returned. If another service fails, its limits are missing.
 */
export function addGetUsageRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/accounts/:account/usage',
    {
      schema: {
        operationId: 'getUsage',
        summary: 'Limits of an account, and how much of them is used',
        description:
          'Any member can read them. If a service is unavailable, its limits are listed in ' +
          '`unavailable`.',
        tags: ['accounts'],
        params: AccountPath,
        response: { 200: Usage, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account } = request.params
      const options = callFor(request, reply, TIMEOUT_MS)
      const [catalog, deployer, observability] = await Promise.allSettled([
        clients.accounts.getAccountUsage({ account }, options),
        clients.deployments.getAccountUsage({ account }, options),
        clients.traces.getAccountUsage({ account }, options),
      ])
      if (catalog.status === 'rejected') throw catalog.reason
      return { account, ...usageOf({ catalog, deployer, observability }) }
    },
  )
}

function usageOf(answers: Readonly<Record<LimitDefinition['service'], Answer>>) {
  const known = new Map(
    Object.values(answers).flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value.uses.map((use) => [use.limit, use]) : [],
    ),
  )
  return {
    limits: DEFINITIONS.flatMap(([name, { unit, meaning }]) => {
      const use = known.get(name)
      if (use === undefined) return []
      return { name, used: Number(use.used), limit: Number(use.bound), unit, description: meaning }
    }),
    unavailable: DEFINITIONS.flatMap(([name, { service }]) =>
      answers[service].status === 'rejected' ? name : [],
    ),
  }
}
