import { parseArgs } from 'node:util'

import { attackNames, startAttack } from './neighbours/attack-process.ts'
import { watch } from './neighbours/bystander.ts'
import { setStage } from './neighbours/stage.ts'

// `./dev bench soak` runs all attacks of one user at once, next to another user's ordinary
// requests, against the limits as they are shipped. It prints one JSON line per half minute: the
// answers of the other user, and the memory and open files of each service; first before the
// attacks, then during them, then after they have ended.
const { values } = parseArgs({
  options: {
    /** A service has compiled its code and filled its caches after this time. */
    'minutes-before': { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
    'minutes-after': { type: 'string', default: '10' },
  },
})
const SAMPLE_MS = 30_000
const SAMPLES_A_MINUTE = 60_000 / SAMPLE_MS

console.error('  deploying agents')
await using stage = await setStage()
const { system, bystander, bystanders, attacker: person, attackers: deployed } = stage

await sample('before', Number(values['minutes-before']))
{
  await using attacks = new AsyncDisposableStack()
  for (const name of attackNames) {
    console.error(`  starting ${name}`)
    attacks.use(await startAttack(name, { system, person, deployed }))
  }
  await sample('during', Number(values.minutes))
}
await sample('after', Number(values['minutes-after']))

async function sample(phase: string, minutes: number): Promise<void> {
  for (let count = 1; count <= minutes * SAMPLES_A_MINUTE; count += 1) {
    const seen = await watch(system, bystander, bystanders, SAMPLE_MS)
    const services = Object.fromEntries(
      Object.entries(system.processes).map(([service, process]) => [
        service,
        { memory_mib: process.memoryMib(), files: process.openFiles(), pid: process.pid },
      ]),
    )
    console.log(JSON.stringify({ phase, minute: count / SAMPLES_A_MINUTE, ...seen, services }))
  }
}
