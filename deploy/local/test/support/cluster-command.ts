// Starts or stops the cluster's parts of the stack in SLIPWAY_STATE_DIR, in the current network
// namespace, and prints the result as JSON. cluster.long.test.ts runs it in a separate namespace.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { whileLocked } from '../../process/stack-lock.ts'
import { bringUp, takeDown } from '../../stack/part.ts'
import { findLeftovers } from './leftovers.ts'
import { ingressPart } from '../../parts/ingress.ts'
import { kubernetesPart } from '../../parts/kubernetes.ts'
import { metricsPart } from '../../parts/metrics.ts'
import { networkPart } from '../../parts/network.ts'
import { registryPart } from '../../parts/registry.ts'
import { defaultSettings } from '../../stack/settings.ts'
import { makeStack } from '../../stack/settings-store.ts'
import { createDirectories, stackDirectories } from '../../stack/stack.ts'

const directories = stackDirectories()
const stack = makeStack(directories, defaultSettings)
const parts = [registryPart, networkPart, kubernetesPart, metricsPart, ingressPart]
const silent = { log: () => undefined, done: () => undefined, failed: () => undefined }

const commands: Record<string, () => Promise<unknown>> = {
  async up() {
    createDirectories(directories)
    await whileLocked(stack, async () => await bringUp(parts, stack, silent))
    return Object.fromEntries(stack.env)
  },
  down: async () => await takeDown(parts, stack),
  status: async () =>
    (await Promise.all(parts.map(async (part) => await part.status(stack)))).flat(),
  leftovers: async () => await findLeftovers(stack),
  /** Waits until its input ends, because the test has ended or was killed; removes everything. */
  async guard() {
    await once(process.stdin.resume(), 'end')
    createDirectories(directories)
    await whileLocked(stack, async () => await takeDown(parts, stack))
    for (const directory of [stack.stateDir, stack.runDir])
      rmSync(directory, { recursive: true, force: true })
  },
}

const command = commands[process.argv[2] ?? '']
if (!command) throw new Error(`unknown command ${process.argv[2]}`)
console.log(JSON.stringify((await command()) ?? null))
