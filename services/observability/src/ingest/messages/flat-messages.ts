import type { Attributes } from '../decode/attribute-value.ts'
import type { Role } from './message.ts'
import { isRecord, toPlain } from './plain-json.ts'
import type { SpanJson } from './span-json.ts'

/** Longer keys are not those of messages. */
const MAX_SEGMENTS = 12

/** A list of messages that is flattened into attributes. */
export interface FlatList {
  /** The start of the keys of its attributes, before the number of a message. */
  readonly prefix: string
  /** Its first message has at least one of these attributes. */
  readonly signs: readonly string[]
}

/** Returns the list of messages that is flattened into attributes such as `<name>.0.role`. */
export function flatList(name: string): FlatList {
  const fields = ['role', 'content', 'message.role', 'message.content', 'function_call.name']
  return { prefix: `${name}.`, signs: fields.map((field) => `${name}.0.${field}`) }
}

/** A part of the tree of flattened attributes, without a prototype that keys could change. */
interface Node {
  [key: string]: unknown
}

/**
 * Reads messages that were flattened into attributes such as `gen_ai.prompt.0.role` or
 * `llm.input_messages.0.message.contents.1.message_content.text`, where `prefix` is the part before
 * the number. Those without a role are of `defaultRole`.
 */
export function readFlatMessages(
  attributes: Attributes,
  { prefix }: FlatList,
  { defaultRole, json }: { readonly defaultRole: Role; readonly json: SpanJson },
): readonly object[] {
  const root: Node = newNode()
  for (const [key, value] of attributes) {
    if (!key.startsWith(prefix)) continue
    const segments = key.slice(prefix.length).split('.')
    if (segments.length <= MAX_SEGMENTS && isIndex(segments[0] ?? ''))
      place(root, segments, toPlain(value))
  }
  return toList(root).map((node) => ({ role: defaultRole, ...toMessageRecord(node, json) }))
}

function newNode(): Node {
  return Object.create(null) as Node
}

function isIndex(segment: string): boolean {
  return /^\d{1,9}$/.test(segment)
}

function place(root: Node, segments: readonly string[], value: unknown): void {
  let node = root
  for (const segment of segments.slice(0, -1)) {
    const inner = node[segment]
    const next = typeof inner === 'object' && inner !== null ? (inner as Node) : newNode()
    node[segment] = next
    node = next
  }
  node[segments.at(-1) ?? ''] = value
}

/** JavaScript sorts the numeric keys of an object. */
function toList(node: unknown): readonly Node[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.values(node).filter(
    (each): each is Node => typeof each === 'object' && each !== null,
  )
}

/** Converts OpenInference's and OpenLLMetry's nesting to that of model APIs. */
function toMessageRecord(node: Node, json: SpanJson): object {
  const message = isRecord(node['message']) ? node['message'] : node
  const contents = toList(message['contents']).map(
    (part) => part['tool_call'] ?? part['message_content'] ?? part,
  )
  // LiteLLM has the only call of a message where the first versions of OpenAI's API had it.
  const { function_call: only } = message
  const calls = [
    ...toList(message['tool_calls']).map((call) => call['tool_call'] ?? call),
    ...(isRecord(only) ? [only] : []),
  ]
  const { content } = message
  const parsed = typeof content === 'string' ? parseParts(content, json) : undefined
  return {
    ...message,
    content: contents.length > 0 ? contents : (parsed ?? content),
    tool_calls: calls.map((call) => (isRecord(call) ? unflattenCall(call) : call)),
  }
}

function unflattenCall(call: Node): object {
  const { id, name, arguments: given } = call
  return isRecord(call['function']) ? call : { type: 'tool_call', id, name, arguments: given }
}

/** Content with several parts is sent as JSON. */
function parseParts(content: string, json: SpanJson): unknown {
  const parsed = /^\s*\[\s*\{/.test(content) ? json.parse(content) : undefined
  const isParts = Array.isArray(parsed) && parsed.every((part) => isRecord(part) && 'type' in part)
  return isParts ? parsed : undefined
}
