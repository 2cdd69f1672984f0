/** Longer lists of messages are shown as they are. */
const MAX_JSON_LENGTH = 1024 * 1024

/**
 * What somebody said in a list of chat messages in JSON: the text of the last message of the user,
 * or all texts of the assistant. Undefined when the JSON is something else, or nobody said anything
 * there.
 */
export function spokenText(json: string, role: 'user' | 'assistant'): string | undefined {
  const parsed = json.length > MAX_JSON_LENGTH ? undefined : parse(json)
  const messages = (Array.isArray(parsed) ? parsed : [parsed]).filter(isObject)
  const said = messages.filter((message) => message['role'] === role).map(textOf)
  const texts = said.filter((text) => text !== '')
  return role === 'user' ? texts.at(-1) : texts.length > 0 ? texts.join('\n') : undefined
}

/** `content` is text in the older forms, `parts` are typed pieces in the newer one. */
function textOf(message: Readonly<Record<string, unknown>>): string {
  const content = message['parts'] ?? message['content']
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter(isObject)
    .map((part) => part['content'] ?? part['text'])
    .filter((text) => typeof text === 'string')
    .join('\n')
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
