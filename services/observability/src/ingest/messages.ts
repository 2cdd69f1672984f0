/** Longer lists of messages are returned unparsed. */
const MAX_JSON_LENGTH = 1024 * 1024

/**
 * Extracts the text from a JSON list of chat messages: the user's last message, or all messages of
 * the assistant. Returns undefined for other JSON, or if there is no such text.
 */
export function extractMessageText(json: string, role: 'user' | 'assistant'): string | undefined {
  const parsed = json.length > MAX_JSON_LENGTH ? undefined : parse(json)
  const messages = (Array.isArray(parsed) ? parsed : [parsed]).filter(isObject)
  const texts = messages
    .filter((message) => message['role'] === role)
    .map(textOf)
    .filter((text) => text !== '')
  return role === 'user' ? texts.at(-1) : texts.length > 0 ? texts.join('\n') : undefined
}

/** Older conventions have a string `content`; the newer one has typed `parts`. */
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
