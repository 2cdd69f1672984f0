import type { Client, ReceivedEvent } from '@slipway/client'

import type { Agent } from '../../command/agent-reference.ts'
import { isMissing } from '../../command/is-missing.ts'
import { wait } from '../../command/wait.ts'

/** Why to look at a deployment again. */
export type Sign = 'event' | 'undeployed' | 'time' | 'interrupted'

/** Says when a deployment may have changed: from its events, or after a time without them. */
export class Signs implements Disposable {
  readonly #ended = new AbortController()
  readonly #signal: AbortSignal
  readonly #events: AsyncGenerator<ReceivedEvent, void>
  #next: Promise<Sign> | undefined

  constructor(client: Client, agent: Agent, signal: AbortSignal) {
    this.#signal = AbortSignal.any([signal, this.#ended.signal])
    this.#events = client.deploymentEvents(agent, { signal: this.#signal })
  }

  /** Waits for an event, for this time at most. */
  async next(ms: number): Promise<Sign> {
    const event = (this.#next ??= this.#nextEvent())
    // It is awaited later, if the time is over first.
    event.catch(() => {})
    const waited = new AbortController()
    const time = wait(ms, AbortSignal.any([this.#signal, waited.signal])).then(
      () => 'time' as const,
    )
    try {
      const sign = await Promise.race([event, time])
      if (this.#signal.aborted) return 'interrupted'
      if (sign !== 'time') this.#next = undefined
      return sign
    } finally {
      waited.abort()
    }
  }

  [Symbol.dispose](): void {
    this.#ended.abort()
  }

  async #nextEvent(): Promise<Sign> {
    try {
      const { done, value } = await this.#events.next()
      if (done === true) return 'interrupted'
      return value.event.type === 'undeployed' ? 'undeployed' : 'event'
    } catch (error) {
      // It was undeployed while the connection was cut.
      if (isMissing(error)) return 'undeployed'
      throw error
    }
  }
}
