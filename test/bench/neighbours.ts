import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { attackNames, startAttack } from './neighbours/attack-process.ts'
import { watch } from './neighbours/bystander.ts'
import { measureUse } from './neighbours/processor-use.ts'
import { setStage } from './neighbours/stage.ts'
import { rounded } from './support/compare.ts'

// `./dev bench neighbours` prints one JSON line per attack of one user: what another user's
// ordinary requests take with and without it, against the limits as they are shipped. The attacker
// shares the processors with the services, so each line also says who used them.
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

const say = (line: string): void => console.error(`  ${line}`)

say('deploying agents')
await using stage = await setStage()
const { system, bystander, bystanders, attacker: person, attackers: deployed } = stage

say('measuring')
await watch(system, bystander, bystanders, durationMs)
for (const name of attackNames) {
  if (!values.only.split(',').some((part) => name.includes(part))) continue
  // What the attack before left behind.
  await delay(SETTLE_MS)
  const useBefore = measureUse(system.processes)
  const usual = await watch(system, bystander, bystanders, durationMs)
  const usualUse = useBefore()
  await using attack = await startAttack(name, { system, person, deployed })
  const useNow = measureUse({ ...system.processes, attacker: attack })
  const during = await watch(system, bystander, bystanders, durationMs)
  const duringUse = useNow()
  const memoryMib = Object.fromEntries(
    Object.entries(system.processes).map(([service, process]) => [service, process.memoryMib()]),
  )
  const factor = rounded(during.p99_ms / usual.p99_ms, 1)
  console.log(
    JSON.stringify({
      attack: name,
      usual,
      during,
      factor,
      met: factor <= GOAL_FACTOR,
      processor_percent: { usual: usualUse, during: duringUse },
      attackers_answers: await attack.answers(),
      memoryMib,
    }),
  )
}
