import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { indexArticles, isKnowledge, readArticles } from './knowledge.ts'
import { Search } from './search.ts'

const articles = [
  { id: 'a', title: 'Apples', text: 'Apples are red. Apples grow on trees.' },
  { id: 'b', title: 'Bananas', text: 'Bananas are yellow.' },
  { id: 'c', title: 'Trees', text: 'Trees are tall.' },
]

describe('BM25', () => {
  it('computes the score of the formula', () => {
    const search = new Search(indexArticles(articles))
    // Term counts with the title doubled: a has apple 4, red, grow, tree = 7; b has banana 3,
    // yellow = 4; c has tree 3, tall = 4.
    const idf = Math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    const norm = 1.2 * (1 - 0.75 + (0.75 * 7) / 5)
    const [hit, ...rest] = search.find('apples', 3)
    expect(rest).toEqual([])
    expect(hit?.article.id).toBe('a')
    expect(hit?.score).toBeCloseTo((idf * 4 * 2.2) / (4 + norm), 10)
  })

  it('weighs rare words more than common ones, and unknown ones most', () => {
    const search = new Search(indexArticles(articles))
    expect(search.weightOf('banana')).toBeGreaterThan(search.weightOf('tree'))
    expect(search.weightOf('quince')).toBeGreaterThan(search.weightOf('banana'))
  })

  it('finds nothing without articles, and nothing for a question of stop words', () => {
    expect(new Search(indexArticles([])).find('apples', 3)).toEqual([])
    expect(new Search(indexArticles(articles)).find('what is it?', 3)).toEqual([])
  })
})

describe('the FAQ', async () => {
  const search = new Search(
    indexArticles(await readArticles(join(import.meta.dirname, '..', 'faq'))),
  )
  it.each([
    ['I forgot my password', 'reset-password'],
    ['restore a file I deleted three weeks ago', 'restore-files'],
    ['cancelling our subscription plan', 'cancel-plan'],
    ['is there a rate limit for API tokens?', 'api-tokens'],
    ['I lost the phone with my authenticator app', 'two-factor'],
    ['two people editing the same document', 'sync-conflicts'],
    ['how big can uploads be', 'upload-limits'],
  ])('answers %j from %s', (question, id) => {
    expect(search.find(question, 1)[0]?.article.id).toBe(id)
  })
})

describe('knowledge', () => {
  it('has a version that depends on its content, not on its order', () => {
    const { version } = indexArticles(articles)
    expect(indexArticles(articles.toReversed()).version).toBe(version)
    expect(indexArticles(articles.slice(1)).version).not.toBe(version)
  })

  it('is recognized after a round trip as JSON, and other values are not', () => {
    const knowledge = indexArticles(articles)
    expect(isKnowledge(JSON.parse(JSON.stringify(knowledge)))).toBe(true)
    const wrong = [null, [], {}, { version: '1' }, { version: '1', articles: [{}] }, 'text', 1]
    const [first] = knowledge.articles
    wrong.push({ version: '1', articles: [{ ...first, terms: { apple: -1 } }] } as never)
    for (const value of wrong) expect(isKnowledge(value)).toBe(false)
  })
})
