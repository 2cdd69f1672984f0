import { accountCases } from './account-cases.ts'
import { agentCases } from './agent-cases.ts'
import { buildCases } from './build-cases.ts'
import { freshName, type Case } from './case.ts'
import type { World } from '../support/catalog-fixture.ts'

/**
 * Every code of every route of the catalog that can be provoked with all parts up and a single
 * request.
 */
export function casesOf(world: World): Case[] {
  return [...agentCases(world), ...buildCases(world), ...accountCases(world)]
}

/** What makes something of its own, and so gives its name to each way it is asked. */
export function makingCases({ account, ids }: World): Case[] {
  return [
    { route: 'POST /accounts', status: 201, caller: 'stranger', body: { name: freshName('team') } },
    {
      route: 'DELETE /accounts/{account}/members/{user_id}',
      status: 200,
      caller: 'owner',
      params: { account, user_id: ids.member },
    },
  ]
}
