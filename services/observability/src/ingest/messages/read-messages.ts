import { roleOf, type Message, type Role } from './message.ts'
import { isRecord, type JsonRecord } from './plain-json.ts'
import { pythonCallIn } from './python-call.ts'
import { namedCallId, readContent, toCall } from './read-content.ts'
import { joinPieces } from './stream-pieces.ts'

/** Deeper messages are not read. */
const MAX_DEPTH = 12

/** Whether a value is what the model or agent was given, or what it returned. */
export type Direction = 'input' | 'output'

/**
 * Finds the messages in a value: lists of messages as the usual frameworks and model APIs send
 * them, whole requests and responses of these APIs, and the inputs and outputs of chains. Returns
 * an empty list for all other values.
 */
export function readMessages(value: unknown, direction: Direction): readonly Message[] {
  return messagesIn(value, direction, 0)
}

function messagesIn(value: unknown, direction: Direction, depth: number): readonly Message[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) {
    const pair = messageInPair(value)
    if (pair !== undefined) return [pair]
    return joinPieces(
      value.map((element) => ({ element, messages: messagesIn(element, direction, depth + 1) })),
    )
  }
  if (!isRecord(value) || isDefinition(value['content'])) return []
  const message = messageIn(value)
  if (message !== undefined) return [message]
  for (const key of WRAPPERS) {
    const inner = value[key]
    if (typeof inner === 'object' && inner !== null) {
      const found = messagesIn(inner, direction, depth + 1)
      if (found.length > 0) return found
    }
  }
  // Calls that were put together from a stream may have no role.
  if (toList(value['tool_calls']).length > 0) {
    const calling = toMessage('assistant', value, value['content'])
    if (calling.calls.length > 0) return [calling]
  }
  const args = pythonCallIn(value)?.args ?? []
  const messages = messagesIn(args, direction, depth + 1)
  if (messages.length > 0) return messages
  const named = TEXT_KEYS[direction].map((key) => lastText(value[key]))
  const text = [...named, longestText(args)].find(isFilledText)
  if (text === undefined) return []
  return [{ role: direction === 'input' ? 'user' : 'assistant', text, calls: [], results: [] }]
}

/** Langfuse sends the definitions of tools as messages of them, after the conversation. */
function isDefinition(content: unknown): boolean {
  const definition = isRecord(content) ? content['function'] : undefined
  return isRecord(definition) && isRecord(definition['parameters'])
}

/** The event with what a tool returned. */
export const TOOL_EVENT = 'gen_ai.tool.message'

/** The keys under which requests, responses and states contain messages. */
const WRAPPERS = [
  'messages',
  'message',
  'choices',
  'generations',
  'candidates',
  'contents',
  'content',
  'output',
  'outputs',
  'input',
  'inputs',
  'prompt',
  'kwargs',
  'response',
  'result',
  'update',
]

/** The keys under which chains and agents contain a plain question or answer. */
const TEXT_KEYS: Readonly<Record<Direction, readonly string[]>> = {
  input: [
    'input',
    'question',
    'query',
    'prompt',
    'prompts',
    'query_str',
    'user_input',
    'task',
    'text',
    'message',
    'user_message',
    'user_query',
    'user_prompt',
  ],
  output: [
    'output',
    'answer',
    'response',
    'result',
    'text',
    'final_output',
    'raw',
    'reply',
    'final_answer',
    'message',
  ],
}

function lastText(value: unknown): unknown {
  return Array.isArray(value) ? value.findLast(isFilledText) : value
}

/** The longest argument of a function is its content: the others are ids and settings. */
function longestText(values: readonly unknown[]): unknown {
  const texts = values.filter(isFilledText)
  return texts.toSorted((a, b) => b.length - a.length)[0]
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** A pair of a role and a text, as in LangChain. */
function messageInPair(values: readonly unknown[]): Message | undefined {
  const [name, text] = values
  const role = values.length === 2 && typeof text === 'string' ? roleOf(name) : undefined
  return role && { role, text: String(text), calls: [], results: [] }
}

function messageIn(value: JsonRecord): Message | undefined {
  if (value['type'] === 'function_call') return toMessage('assistant', value, [value])
  if (value['type'] === 'function_call_output') return toMessage('tool', value, [value])
  const record = unwrapLangChain(value)
  const role = roleOf(record['role'] ?? record['type']) ?? roleOfEvent(record['event.name'])
  if (role === undefined) return undefined
  return toMessage(role, record, record['parts'] ?? record['content'])
}

/** LangChain's serialized objects have their fields in `kwargs` or `data`. */
function unwrapLangChain(value: JsonRecord): JsonRecord {
  const { kwargs, data, id } = value
  if (value['lc'] !== undefined && isRecord(kwargs))
    return { ...kwargs, type: kwargs['type'] ?? (Array.isArray(id) ? id.at(-1) : undefined) }
  return isRecord(data) && value['content'] === undefined ? { ...value, ...data } : value
}

/** The role of the event `gen_ai.user.message` is `user`. */
function roleOfEvent(name: unknown): Role | undefined {
  return typeof name === 'string' ? roleOf(/^gen_ai\.(\w+)\.message$/.exec(name)?.[1]) : undefined
}

function toMessage(role: Role, record: JsonRecord, content: unknown): Message {
  const { text, calls, results } = readContent(content)
  const lists = [record['tool_calls'], kwargsOf(record)['tool_calls']].map(toList)
  const others = lists.find((list) => list.length > 0) ?? []
  const allCalls = calls.length > 0 ? calls : others.flatMap(toCall)
  // Model APIs send the results of tools as messages of the user.
  const hasOnlyResults = role === 'user' && text === '' && results.length > 0
  const callId = namedCallId(record) || idOfEvent(record)
  if (role === 'tool' && results.length === 0 && text !== '')
    return { role, text, calls: allCalls, results: [{ callId, text }] }
  const named = results.map((result) => (result.callId === '' ? { ...result, callId } : result))
  return { role: hasOnlyResults ? 'tool' : role, text, calls: allCalls, results: named }
}

/** The id of the event `gen_ai.tool.message` is that of the call. */
function idOfEvent(record: JsonRecord): string {
  const { id } = record
  return record['event.name'] === TOOL_EVENT && typeof id === 'string' ? id : ''
}

function kwargsOf(record: JsonRecord): JsonRecord {
  const kwargs = record['additional_kwargs']
  return isRecord(kwargs) ? kwargs : {}
}

/** Some senders have a single call in place of a list. */
function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : isRecord(value) ? [value] : []
}
