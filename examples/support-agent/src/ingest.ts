import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { indexArticles, readArticles, type Article, type Knowledge } from './knowledge.ts'
import { log } from './log.ts'

/** The agent may still be starting, so the delivery is tried once a second this often. */
const ATTEMPTS = 15

/** Parses the articles of the ingestion's input, a JSON array of {title, text}. */
function moreArticles(json: string): Article[] {
  const value: unknown = JSON.parse(json)
  if (!Array.isArray(value)) throw new Error('FAQ_ARTICLES must be a JSON array')
  return value.map((item: { title?: unknown; text?: unknown } | null, index) => {
    const { title, text } = item ?? {}
    if (typeof title !== 'string' || typeof text !== 'string') {
      throw new Error(`FAQ_ARTICLES[${index}] must have a title and a text`)
    }
    return { id: `extra-${index + 1}`, title, text }
  })
}

async function deliver(url: string, token: string, knowledge: Knowledge): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(knowledge),
      })
      const body: unknown = await response.json()
      if (response.ok) return body
      // Retrying doesn't help: the agent has rejected the request.
      if (response.status < 500) {
        throw new Error(`the agent refused: ${response.status} ${JSON.stringify(body)}`, {
          cause: 'refused',
        })
      }
      throw new Error(`the agent returned ${response.status}`)
    } catch (error) {
      if (attempt === ATTEMPTS || (error instanceof Error && error.cause === 'refused')) throw error
      log('warn', 'agent_not_reached', { attempt, error: String(error) })
      await delay(1_000)
    }
  }
}

async function run(env: NodeJS.ProcessEnv): Promise<void> {
  const agentUrl = env['AGENT_URL']
  const token = env['SUPPORT_API_TOKEN']
  if (!agentUrl || !token) throw new Error('AGENT_URL and SUPPORT_API_TOKEN must be set')
  const articles = await readArticles(join(import.meta.dirname, '..', 'faq'))
  const knowledge = indexArticles([...articles, ...moreArticles(env['FAQ_ARTICLES'] || '[]')])
  log('info', 'indexed', { version: knowledge.version, articles: knowledge.articles.length })
  const answer = await deliver(new URL('/admin/knowledge', agentUrl).href, token, knowledge)
  log('info', 'ingested', { agent: answer })
}

run(process.env).catch((error: unknown) => {
  log('error', 'ingestion_failed', {
    error: error instanceof Error ? error.message : String(error),
  })
  process.exitCode = 1
})
