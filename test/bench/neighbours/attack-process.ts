import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

import { attacks, type Attacker } from './attacks.ts'
import { Client } from './client.ts'

/** The address of the attacker, so that no limit of an address counts for the bystander too. */
const ADDRESS = '127.0.0.2'

/** The names of all attacks. */
export const attackNames = Object.keys(attacks)

interface AttackData extends Omit<Attacker, 'person'> {
  readonly name: string
  readonly person: Omit<Attacker['person'], 'client'>
}

/** Runs an attack in a thread, until it is disposed of, so that it doesn't delay the bystander. */
export async function startAttack(
  name: string,
  { system, person, deployed }: Attacker,
): Promise<AsyncDisposable> {
  const { gatewayUrl, otlpGrpcUrl } = system
  const { token, account } = person
  const data: AttackData = {
    name,
    system: { gatewayUrl, otlpGrpcUrl },
    person: { token, account },
    deployed,
  }
  const worker = new Worker(new URL(import.meta.url), { workerData: data })
  await once(worker, 'message')
  return {
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

if (!isMainThread) {
  const { name, person, ...attacker } = workerData as AttackData
  const running = attacks[name]?.({
    ...attacker,
    person: { ...person, client: new Client(ADDRESS) },
  })
  parentPort?.postMessage('started')
  await running
}
