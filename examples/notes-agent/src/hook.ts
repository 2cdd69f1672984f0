import { sendNote } from './send-note.ts'
import { serve } from './serve.ts'

const agentUrl = process.env['AGENT_URL'] ?? ''

await serve(
  8090,
  async () => true,
  async (_method, _path, text) => {
    await sendNote(agentUrl, `brought by a webhook: ${text}`)
    return { status: 202, body: { status: 'accepted' } }
  },
)
