import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

import { cpuMsOf } from '../support/process.ts'
import { attacks, type Attacker } from './attacks/index.ts'
import { Client } from './client.ts'

/** The address of the attacker, so that no limit of an address counts for the bystander too. */
const ADDRESS = '127.0.0.2'
const SCRIPT = fileURLToPath(import.meta.url)

/** The names of all attacks. */
export const attackNames = Object.keys(attacks)

interface AttackData extends Omit<Attacker, 'person'> {
  readonly name: string
  readonly person: Omit<Attacker['person'], 'client'>
}

/** A running attack, which ends when it is disposed of. */
export interface RunningAttack extends AsyncDisposable {
  /** Returns the CPU time used so far, in milliseconds. */
  cpuMs(): number
  /** Returns how many responses there were so far, by status. */
  answers(): Promise<Readonly<Record<string, number>>>
}

/**
 * Runs an attack in a process with the lowest priority: real attackers have their own processors,
 * so this one must not take them from the services.
 */
export async function startAttack(
  name: string,
  { system, person, deployed }: Attacker,
): Promise<RunningAttack> {
  const { gatewayUrl, otlpUrl, otlpGrpcUrl } = system
  const { token, account } = person
  const data: AttackData = {
    name,
    system: { gatewayUrl, otlpUrl, otlpGrpcUrl },
    person: { token, account },
    deployed,
  }
  const child = fork(SCRIPT)
  const pid = child.pid ?? 0
  setPriority(pid, constants.priority.PRIORITY_LOW)
  const ask = async (question: AttackData | 'answers'): Promise<unknown> => {
    child.send(question)
    const [answer] = await once(child, 'message')
    return answer
  }
  await ask(data)
  return {
    cpuMs: () => cpuMsOf(pid),
    answers: async () => (await ask('answers')) as Record<string, number>,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

if (process.argv[1] === SCRIPT) {
  const client = new Client(ADDRESS)
  process.on('message', (question: AttackData | 'answers') => {
    if (question !== 'answers') {
      const { name, person, ...attacker } = question
      void attacks[name]?.({ ...attacker, person: { ...person, client } })
    }
    process.send?.(client.answers)
  })
}
