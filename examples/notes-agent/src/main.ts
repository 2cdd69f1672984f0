import { Notes } from './notes.ts'
import { Redis } from './redis.ts'
import { serve } from './serve.ts'

// The platform sets POSTGRES_URL (with a password that it has generated), REDIS_URL and
// TOOL_COUNTER_URL.
const notes = new Notes(process.env['POSTGRES_URL'] ?? '')
const redis = new Redis(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const counterUrl = process.env['TOOL_COUNTER_URL'] ?? ''
const signature = process.env['NOTES_SIGNATURE']

async function isReady(): Promise<boolean> {
  const pong = await redis.send('PING').catch(() => undefined)
  return pong === 'PONG' && (await notes.isReady())
}

async function countWords(text: string): Promise<number> {
  const response = await fetch(counterUrl, {
    method: 'POST',
    body: text,
    signal: AbortSignal.timeout(5_000),
  })
  const { words } = (await response.json()) as { words: number }
  return words
}

await serve(8080, isReady, async (method, path, body) => {
  if (path !== '/notes') return { status: 404, body: { error: 'not found' } }
  if (method === 'POST') {
    const { text } = JSON.parse(body) as { text?: unknown }
    if (typeof text !== 'string' || text === '')
      return { status: 400, body: { error: 'text is required' } }
    await notes.add(signature === undefined ? text : `${text} -- ${signature}`)
    return { status: 201, body: { count: await redis.send('INCR', 'notes') } }
  }
  const all = await notes.all()
  const words = await countWords(all.join('\n'))
  return {
    status: 200,
    body: { notes: all, count: Number(await redis.send('GET', 'notes')), words },
  }
})
redis.close()
await notes.close()
