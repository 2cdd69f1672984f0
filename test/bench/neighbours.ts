import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { attackNames, startAttack } from './neighbours/attack-process.ts'
import { watch } from './neighbours/bystander.ts'
import { Client } from './neighbours/client.ts'
import { deploy, expectOk, signIn, undeploy } from './neighbours/people.ts'
import { startNeighboursSystem } from './neighbours/system.ts'
import { rounded } from './support/compare.ts'

// `./dev bench neighbours` prints one JSON line per attack of one user: what another user's
// ordinary requests take with and without it, against the limits as they are shipped.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
})
const durationMs = Number(values.seconds) * 1000
const SETTLE_MS = 3_000
/** The goal: the bystander's p99 at most this many times its usual one. */
const GOAL_FACTOR = 2
/** Accounts of the attacker, besides the personal one. */
const TEAMS = 7
/** The readmes of the builds of the large agent; together about 8 MiB. */
const LARGE_BUILDS = 16

const say = (line: string): void => console.error(`  ${line}`)

await using system = await startNeighboursSystem()
using alicesClient = new Client('127.0.0.1')
using mallorysClient = new Client('127.0.0.2')
say('deploying agents')
const alice = await signIn(system, alicesClient, 'alice')
const mallory = await signIn(system, mallorysClient, 'mallory')
const { token } = mallory
const post = async (path: string, body: object) =>
  await expectOk(mallorysClient.send('POST', `${system.gatewayUrl}${path}`, { token, body }))
const teams = Array.from({ length: TEAMS }, (_, index) => `mallory-team-${index}`)
for (const name of teams) await post('/accounts', { name })
await using cleanup = new AsyncDisposableStack()
const own = await deploy(system, alice, alice.account)
cleanup.defer(() => undeploy(system, alice, own.account))
const deployed = []
for (const account of [mallory.account, ...teams]) {
  const each = await deploy(system, mallory, account)
  cleanup.defer(() => undeploy(system, mallory, account))
  deployed.push(each)
}
const registry = 'oci://registry.example'
const specOf = (name: string) =>
  `spec: astro/v1\nname: ${name}\nagent: {image: nowhere.example/x:1}\n`
for (let build = 0; build < LARGE_BUILDS; build += 1) {
  const body = { build_id: `b${build}`, registry, spec_content: specOf('large') }
  await post(`/agents/${mallory.account}/large/register`, { ...body, readme: 'x'.repeat(500_000) })
}
const slow = { build_id: 'b', registry, spec_content: specOf('never-ready') }
await post(`/agents/${mallory.account}/never-ready/register`, slow)
cleanup.defer(() => undeploy(system, mallory, mallory.account, 'never-ready'))

say('measuring')
await watch(system, alice, own, durationMs)
for (const name of attackNames) {
  if (!name.includes(values.only)) continue
  // What the attack before left behind.
  await delay(SETTLE_MS)
  const usual = await watch(system, alice, own, durationMs)
  await using _attack = await startAttack(name, { system, person: mallory, deployed })
  const during = await watch(system, alice, own, durationMs)
  const memoryMib = Object.fromEntries(
    Object.entries(system.processes).map(([service, process]) => [service, process.memoryMib()]),
  )
  const factor = rounded(during.p99_ms / usual.p99_ms, 1)
  console.log(
    JSON.stringify({ attack: name, usual, during, factor, met: factor <= GOAL_FACTOR, memoryMib }),
  )
}
