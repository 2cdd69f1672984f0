import { setTimeout as delay } from 'node:timers/promises'

const TRIES = 60

/** Sends a note to the agent. Retries once a second, because the agent may still be starting. */
export async function sendNote(agentUrl: string, text: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(`${agentUrl}/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
        signal: AbortSignal.timeout(5_000),
      })
      if (response.status === 201) return
      throw new Error(`the agent returned ${response.status}`)
    } catch (error) {
      if (attempt === TRIES) throw error
      await delay(1_000)
    }
  }
}
