import { sendNote } from './send-note.ts'

await sendNote(process.env['AGENT_URL'] ?? '', process.env['NOTE'] ?? 'brought by nobody')
console.log(JSON.stringify({ level: 'info', event: 'imported' }))
