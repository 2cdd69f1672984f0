import { cutToBytes } from './text.ts'

/** The ids of a conversation and of its user. */
export interface ConversationIds {
  readonly sessionId: string
  readonly userId: string
}

/** Maximum length of an id, as of a span's own. */
const MAX_ID_BYTES = 256
const SESSION_KEYS = ['session.id', 'gen_ai.conversation.id']
const USER_KEYS = ['user.id']

/**
 * Returns the ids that log records name, of which `attributes` are the JSON, and of the first
 * record that has one. Some senders have them only there.
 */
export function idsInLogs(attributes: readonly string[]): ConversationIds {
  const records = attributes.flatMap((json) => (json.includes('.id"') ? [parseRecord(json)] : []))
  const first = (keys: readonly string[]) => {
    const values = records.flatMap((record) => keys.map((key) => record[key]))
    const id = values.find((value) => typeof value === 'string' && value !== '')
    return typeof id === 'string' ? cutToBytes(id, MAX_ID_BYTES) : ''
  }
  return { sessionId: first(SESSION_KEYS), userId: first(USER_KEYS) }
}

/** The ingest has written the JSON. */
function parseRecord(json: string) {
  return JSON.parse(json) as Readonly<Record<string, unknown>>
}
