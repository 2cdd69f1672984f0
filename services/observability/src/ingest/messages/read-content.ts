import { isRecord, toText, type JsonRecord } from './plain-json.ts'
import type { ToolCall, ToolResult } from './message.ts'

/** What the parts of a message contain. */
export interface Content {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly results: readonly ToolResult[]
}

/** Reads the content of a message: a text, or a list of parts in any of the usual formats. */
export function readContent(content: unknown): Content {
  if (typeof content === 'string') return { text: content, calls: [], results: [] }
  const texts: string[] = []
  const calls: ToolCall[] = []
  const results: ToolResult[] = []
  for (const part of Array.isArray(content) ? content : [content]) {
    if (typeof part === 'string') texts.push(part)
    if (!isRecord(part)) continue
    const call = callIn(part)
    const result = resultIn(part)
    if (call !== undefined) calls.push(call)
    else if (result !== undefined) results.push(result)
    else texts.push(textIn(part))
  }
  return { text: texts.filter((text) => text !== '').join('\n'), calls, results }
}

/** Reads an element of a list of tool calls; the list is empty if it isn't one. */
export function toCall(value: unknown): readonly ToolCall[] {
  if (!isRecord(value)) return []
  const call = callIn(value) ?? callIn({ ...value, type: 'tool_call' })
  return call === undefined || call.name === '' ? [] : [call]
}

/** Reads a tool call in any of the usual formats. */
function callIn(part: JsonRecord): ToolCall | undefined {
  const isCall = CALL_TYPES.has(part['type'])
  const { functionCall, toolUse, toolRequest } = part
  const nested = part['function'] ?? functionCall ?? part['function_call'] ?? toolUse ?? toolRequest
  const call = isRecord(nested) ? nested : isCall ? part : undefined
  if (call === undefined) return undefined
  const name = call['name'] ?? call['toolName'] ?? call['tool_name']
  const given = call['arguments'] ?? call['args'] ?? call['input']
  return { id: callIdIn(call) || callIdIn(part), name: toText(name), arguments: toText(given) }
}

/** The keys of the id of a call. Items of the Responses API have their own `id` as well. */
const CALL_ID_KEYS = ['call_id', 'tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId', 'ref']

/** Returns the id of the call that a message or a part names; empty if it names none. */
export function namedCallId(record: JsonRecord): string {
  return CALL_ID_KEYS.map((key) => record[key]).find(isFilledText) ?? ''
}

/** Returns the id of a call, or that of the call in its result; empty if it has none. */
function callIdIn(record: JsonRecord): string {
  const { id } = record
  return namedCallId(record) || (isFilledText(id) ? id : '')
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

const CALL_TYPES: ReadonlySet<unknown> = new Set([
  'tool_call',
  'tool-call',
  'tool_use',
  'function_call',
])

const RESULT_TYPES: ReadonlySet<unknown> = new Set([
  'tool_call_response',
  'tool-result',
  'tool_result',
  'function_call_output',
])

function resultIn(part: JsonRecord): ToolResult | undefined {
  const isResult = RESULT_TYPES.has(part['type'])
  const { functionResponse, toolResult, toolResponse } = part
  const nested = functionResponse ?? part['function_response'] ?? toolResult ?? toolResponse
  const result = isRecord(nested) ? nested : isResult ? part : undefined
  if (result === undefined) return undefined
  const value = ['response', 'result', 'output', 'content']
    .map((key) => result[key])
    .find((each) => each !== undefined)
  const text = Array.isArray(value)
    ? value.map(textOfResult).join('\n')
    : toText(isRecord(value) ? unwrapResult(value) : value)
  return { callId: callIdIn(result) || callIdIn(part), text }
}

/** Model APIs return texts as `{"type":"text","value":…}` or `{"result":…}`. */
function unwrapResult(value: JsonRecord): unknown {
  if (typeof value['type'] === 'string' && value['value'] !== undefined) return value['value']
  return Object.keys(value).join() === 'result' ? value['result'] : value
}

function textOfResult(part: unknown): string {
  return isRecord(part) ? textIn(part) || toText(part) : toText(part)
}

/** Parts with the model's thoughts are not its answer. */
const HIDDEN_TYPES: ReadonlySet<string> = new Set(['reasoning', 'thinking', 'redacted_thinking'])

function textIn(part: JsonRecord): string {
  const type = typeof part['type'] === 'string' ? part['type'] : ''
  if (HIDDEN_TYPES.has(type) || part['thought'] === true) return ''
  const isMedia = MEDIA_TYPE.test(type) || MEDIA_KEYS.some((key) => part[key] !== undefined)
  if (isMedia) return mediaIn(part)
  const text = part['text'] ?? part['content'] ?? part['refusal']
  return typeof text === 'string' ? text : isRecord(text) ? toText(text['value']) : ''
}

const MEDIA_TYPE = /image|audio|video|file|blob|media|^uri$|document/
const MEDIA_KEYS = ['inline_data', 'inlineData', 'file_data', 'fileData', 'image', 'document']

/** Returns a placeholder for a part that is not text: it can be megabytes of base64. */
function mediaIn(part: JsonRecord): string {
  const inner = MEDIA_KEYS.map((key) => part[key]).find((each) => isRecord(each))
  const holders = [part, part['source'], inner].filter((each) => isRecord(each))
  for (const holder of holders) {
    for (const key of ['mime_type', 'mimeType', 'mediaType', 'media_type'])
      if (isMimeType(holder[key])) return `[${holder[key]}]`
  }
  const [url] = /data:([\w.+-]+\/[\w.+-]+)/.exec(urlIn(part))?.slice(1) ?? []
  if (url !== undefined) return `[${url}]`
  const named = [part['modality'], part['type'], ...MEDIA_KEYS.filter((key) => part[key])]
  const names = named.filter((name) => typeof name === 'string').join(' ')
  const kind = /image|audio|video|document/.exec(names)?.[0] ?? 'file'
  const format = holders.map((holder) => holder['format']).find((each) => typeof each === 'string')
  return format === undefined || !/^\w{1,20}$/.test(format) ? `[${kind}]` : `[${kind}/${format}]`
}

function isMimeType(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.+-]{1,50}\/[\w.+-]{1,50}$/.test(value)
}

/** The first characters of the part's URL or data. */
function urlIn(part: JsonRecord): string {
  const values = [part['image_url'], part['image'], part['url'], part['uri'], part['data']]
  for (const value of [...values, part['file_data']]) {
    const url: unknown = isRecord(value) ? (value['url'] ?? value['image']) : value
    const inner: unknown = isRecord(url) ? url['url'] : url
    if (typeof inner === 'string') return inner.slice(0, 200)
  }
  return ''
}
