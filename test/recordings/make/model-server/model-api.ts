import type { Reply, Usage } from '../scenario.ts'

/** A request in the words of an API, as far as a reply depends on it. */
export interface ModelRequest {
  readonly model: string
  readonly stream: boolean
  readonly messages: readonly { readonly text: string; readonly isToolResult: boolean }[]
}

/** A reply that isn't a refusal. */
export type Answer = Exclude<Reply, { readonly refusal: string }>

/** What an answer is sent with. */
export interface AnswerIds {
  readonly id: string
  readonly callId: string
  /** The model that answers: a dated version of the one that was asked for. */
  readonly model: string
  readonly request: Readonly<Record<string, unknown>>
}

/** When each response was made, in seconds since 1970. */
export const CREATED = 1_790_000_000

/** One API of a model provider. */
export interface ModelApi {
  readonly name: string
  readonly idPrefix: string
  readonly callIdPrefix: string
  readRequest(body: Readonly<Record<string, unknown>>, path: string): ModelRequest
  /** The body of a whole answer. */
  whole(answer: Answer, ids: AnswerIds): unknown
  /** The parts of a streamed answer. */
  streamed(answer: Answer, ids: AnswerIds): readonly (string | Uint8Array)[]
  /** By default that of server-sent events. */
  readonly streamType?: string
  /** The parts of a usage that the API doesn't have, and so doesn't bill. */
  readonly lacks?: readonly ('cached' | 'reasoning' | 'written')[]
  /** The body of an error with status 400. */
  error(message: string): unknown
}

/** Returns the messages of a request whose role says which are results of tools. */
export function messagesWithRoles(value: unknown, isToolResult: (json: string) => boolean) {
  const messages = Array.isArray(value) ? value : [value]
  return messages.map((message) => {
    const text = JSON.stringify(message) ?? ''
    return { text, isToolResult: isToolResult(text) }
  })
}

/** An event with data as JSON. */
export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** An event with a name and data as JSON, whose type is the name. */
export function namedEvent(type: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\n${dataEvent({ type, ...data })}`
}

/** The text in the pieces in which a model streams it. */
export function pieces(text: string): string[] {
  return text.match(/\S+\s*/g) ?? []
}

/** The arguments of a tool call as JSON; empty for a text. */
export function argumentsOf(answer: Answer): string {
  return 'call' in answer ? JSON.stringify(answer.call.arguments) : ''
}

/** The usage of an OpenAI answer, with the names of its API. */
export function openaiUsage(
  { input, output, cached, reasoning }: Usage,
  [inputName, outputName]: readonly [string, string],
) {
  return {
    [`${inputName}_tokens`]: input,
    [`${inputName}_tokens_details`]: { cached_tokens: cached },
    [`${outputName}_tokens`]: output,
    [`${outputName}_tokens_details`]: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
