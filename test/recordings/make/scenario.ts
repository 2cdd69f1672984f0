/** What the model server bills for one response. `input` includes `cached` and `written`. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly reasoning: number
  /** Input tokens that were written to a cache. */
  readonly written?: number
}

/** A call of a tool that a model asks for. */
export interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
}

/** What the model server answers to one request. */
export type Reply =
  | { readonly text: string; readonly usage: Usage }
  | { readonly call: ToolCall; readonly usage: Usage }
  | { readonly refusal: string }

/** A question and the replies to it, in order; each reply but the last asks for a tool. */
export interface Question {
  readonly text: string
  readonly replies: readonly Reply[]
}

/** What a tool of the programs returns, or the message of the error that it throws. */
export interface ToolUse extends ToolCall {
  readonly result?: string
  readonly error?: string
}

/** What a user asks an agent, and what then happens. */
export interface Turn extends Question {
  readonly tools: readonly ToolUse[]
  /** What an agent asks another agent meanwhile. */
  readonly inner?: Question
}

/** What an agent does in a recording. */
export interface Scenario {
  readonly system: string
  readonly turns: readonly Turn[]
  readonly stream?: boolean
  readonly sessionId?: string
  readonly userId?: string
}

/** The last reply to a question, if it is a text: the agent's answer. */
export function answerOf({ replies }: Question): string | undefined {
  const last = replies.at(-1)
  return last && 'text' in last ? last.text : undefined
}
