import { accountCases } from './account-cases.ts'
import { agentCases } from './agent-cases.ts'
import { buildCases } from './build-cases.ts'
import { deletionCases } from './deletion-cases.ts'
import { freshName, type Case } from './case.ts'
import { revokingCase, tokenCases } from './token-cases.ts'
import type { World, WorldWithPreviousName } from '../support/catalog-fixture.ts'

/** Every status of the catalog's routes that one request can provoke while all parts run. */
export function casesOf(world: WorldWithPreviousName): Case[] {
  return [
    ...agentCases(world),
    ...buildCases(world),
    ...accountCases(world),
    ...deletionCases(world),
    ...tokenCases(world),
  ]
}

/** Cases that create something: each protocol gets its own names. */
export function makingCases(world: World): Case[] {
  const { account, ids } = world
  return [
    revokingCase(world),
    {
      route: 'POST /accounts/{account}/tokens',
      status: 201,
      caller: 'admin',
      params: { account },
      body: { name: freshName('token'), role: 'admin' },
    },
    { route: 'POST /accounts', status: 201, caller: 'stranger', body: { name: freshName('team') } },
    {
      route: 'DELETE /accounts/{account}/members/{user_id}',
      status: 200,
      caller: 'owner',
      params: { account, user_id: ids.member },
    },
  ]
}
