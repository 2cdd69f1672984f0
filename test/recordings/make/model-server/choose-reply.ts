import type { Question, Reply, Scenario } from '../scenario.ts'

/** A reply, and the turn of the scenario that it belongs to. */
export interface ChosenReply {
  readonly turn: number
  readonly reply: Reply
}

/**
 * Chooses the reply to a request. `texts` are its messages in order, as JSON; those from tools are
 * `results`. Frameworks wrap the question in prompts of their making, so the last message that
 * contains a question decides.
 */
export function chooseReply(
  { turns }: Scenario,
  messages: readonly { readonly text: string; readonly isToolResult: boolean }[],
): ChosenReply {
  const questions = turns.flatMap((turn, index) =>
    [turn, turn.inner].flatMap((question) => (question ? [{ question, turn: index }] : [])),
  )
  const found = questions
    .map((entry) => ({ ...entry, at: lastQuestion(entry.question, messages) }))
    .toSorted((a, b) => b.at - a.at)[0]
  if (!found || found.at < 0) throw new Error('the request has no question of the scenario')
  const results = messages.slice(found.at + 1).filter(({ isToolResult }) => isToolResult).length
  const { replies } = found.question
  const reply = replies[Math.min(results, replies.length - 1)]
  if (!reply) throw new Error('the question has no replies')
  return { turn: found.turn, reply }
}

/** An inner question occurs in the call of the tool that asks it as well, which doesn't count. */
function lastQuestion(
  { text }: Question,
  messages: readonly { readonly text: string; readonly isToolResult: boolean }[],
): number {
  return messages.findLastIndex(
    (message) =>
      message.text.includes(text) && !message.isToolResult && !/["']request/.test(message.text),
  )
}
