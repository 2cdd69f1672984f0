import { sendNote } from './send-note.ts'

await sendNote(process.env['AGENT_URL'] ?? '', process.env['NOTE'] ?? 'a note without text')
console.log(JSON.stringify({ level: 'info', event: 'imported' }))
