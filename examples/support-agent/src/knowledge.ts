import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { searchTerms } from './text.ts'

/** A question with its answer. */
export interface Article {
  id: string
  title: string
  text: string
}

/** An article with the number of times each term occurs; terms of the title count twice. */
export interface IndexedArticle extends Article {
  terms: Record<string, number>
}

/** The indexed articles that the agent searches. `version` is a hash of the articles. */
export interface Knowledge {
  version: string
  articles: IndexedArticle[]
}

/** Reads a folder of Markdown files. Each file is one article: a heading and text. */
export async function readArticles(folder: string): Promise<Article[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const [heading = '', ...rest] = (await readFile(join(folder, name), 'utf8'))
        .trim()
        .split('\n')
      return {
        id: name.slice(0, -'.md'.length),
        title: heading.replace(/^#\s*/, ''),
        text: rest.join('\n').trim(),
      }
    }),
  )
}

/** Indexes articles. The version doesn't depend on their order. */
export function indexArticles(articles: readonly Article[]): Knowledge {
  const sorted = articles.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const indexed = sorted.map((article) => {
    const terms = new Map<string, number>()
    for (const term of searchTerms(`${article.title} ${article.title} ${article.text}`)) {
      terms.set(term, (terms.get(term) ?? 0) + 1)
    }
    return { ...article, terms: Object.fromEntries(terms) }
  })
  const hash = createHash('sha256').update(
    JSON.stringify(sorted.map(({ id, title, text }) => [id, title, text])),
  )
  return { version: hash.digest('hex').slice(0, 12), articles: indexed }
}

/** Whether a value from the network has the shape of Knowledge. */
export function isKnowledge(value: unknown): value is Knowledge {
  if (!isRecord(value) || typeof value['version'] !== 'string' || !Array.isArray(value['articles']))
    return false
  return value['articles'].every(
    (article) =>
      isRecord(article) &&
      ['id', 'title', 'text'].every((key) => typeof article[key] === 'string') &&
      isRecord(article['terms']) &&
      Object.values(article['terms']).every(
        (count) => Number.isSafeInteger(count) && Number(count) > 0,
      ),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
