/** Who wrote a message of a conversation. */
export type Role = 'user' | 'assistant' | 'system' | 'tool'

/** A call of a tool that a model asks for. */
export interface ToolCall {
  /** Names the call in its result; empty if the sender has no id for it. */
  readonly id: string
  readonly name: string
  /** JSON, or the text that the model wrote in its place. */
  readonly arguments: string
}

/** What a tool returned. */
export interface ToolResult {
  /** The id of the call; empty if the sender doesn't name it. */
  readonly callId: string
  readonly text: string
}

/** A message of a conversation, whatever format it was sent in. */
export interface Message {
  readonly role: Role
  /** The text, with a placeholder such as `[image/png]` for each other part. */
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** What tools returned. */
  readonly results: readonly ToolResult[]
}

/** What a span shows of one direction: its text, and the messages that the text is from. */
export interface Content {
  /** What the user asked, or the assistant answered; empty if no message says it. */
  readonly text: string
  /** Empty if the text is not from messages. */
  readonly messages: readonly Message[]
}

/** Text that isn't from messages. */
export function plainText(text: string): Content {
  return { text, messages: [] }
}

/** There is neither a text nor a message. */
export const EMPTY_CONTENT = plainText('')

/** Whether there is neither a text nor a message. */
export function isEmpty({ text, messages }: Content): boolean {
  return text === '' && messages.length === 0
}

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['HumanMessage', 'user'],
  ['HumanMessageChunk', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['tool-call', 'assistant'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['SystemMessage', 'system'],
  ['tool', 'tool'],
  ['tool-response', 'tool'],
  ['function', 'tool'],
  ['ToolMessage', 'tool'],
  ['ToolMessageChunk', 'tool'],
  ['FunctionMessage', 'tool'],
])

/** Returns the role that a framework means by a name; undefined for a name that is not a role. */
export function roleOf(name: unknown): Role | undefined {
  if (typeof name !== 'string') return undefined
  return ROLES.get(name) ?? ROLES.get(name.toLowerCase())
}

/** Returns what the user asked last; empty if there is no such message. */
export function inputIn(messages: readonly Message[]): string {
  return messages.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? ''
}

/**
 * Returns what the assistant answered: its messages at the end of the conversation, or else its
 * last one. Tool calls are the answer of messages without text.
 */
export function outputIn(messages: readonly Message[]): string {
  const last = messages.findLastIndex((message) => isAnswer(message))
  if (last < 0) return ''
  let first = last
  while (messages[first - 1]?.role === 'assistant') first -= 1
  const answers = messages.slice(first, last + 1)
  const texts = answers.map(({ text }) => text).filter((text) => text !== '')
  if (texts.length > 0) return texts.join('\n')
  return answers.flatMap(({ calls }) => calls.map(showCall)).join('\n')
}

/** Returns the messages after the last one of the user, if there are any; otherwise all. */
export function afterInput(messages: readonly Message[]): readonly Message[] {
  const after = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  return after.length === 0 ? messages : after
}

/** Returns the arguments of the tool that the messages call; empty if they call none. */
export function argumentsIn(messages: readonly Message[]): string {
  const texts = messages.flatMap(({ calls, results, text }) => [
    ...calls.map((call) => call.arguments),
    ...results.map((result) => result.text),
    text,
  ])
  return texts.find((text) => text !== '') ?? ''
}

/** Returns what the tool returned that the messages are about; empty if they don't say it. */
export function resultIn(messages: readonly Message[]): string {
  const texts = messages.flatMap(({ results, text }) => [
    ...results.map((result) => result.text),
    text,
  ])
  return texts.find((text) => text !== '') ?? ''
}

function isAnswer({ role, text, calls }: Message): boolean {
  return role === 'assistant' && (text !== '' || calls.length > 0)
}

function showCall(call: ToolCall): string {
  return `${call.name}(${call.arguments})`
}

/** Returns what messages ask or answer. */
export function toContent(messages: readonly Message[], direction: 'input' | 'output'): Content {
  return direction === 'input'
    ? { text: inputIn(messages), messages }
    : { text: outputIn(messages), messages: afterInput(messages) }
}
