import type { IndexedArticle, Knowledge } from './knowledge.ts'
import { searchTerms } from './text.ts'

// The usual constants of BM25: K1 limits the weight of repeated terms, B sets the weight of length.
const K1 = 1.2
const B = 0.75

/** An article and its score. */
export interface Hit {
  article: IndexedArticle
  score: number
}

/** Searches articles with BM25. Its statistics are computed once, in the constructor. */
export class Search {
  readonly #articles: { article: IndexedArticle; length: number; terms: Map<string, number> }[]
  readonly #documentFrequency = new Map<string, number>()
  readonly #averageLength: number

  constructor(knowledge: Knowledge) {
    this.#articles = knowledge.articles.map((article) => {
      const terms = new Map(Object.entries(article.terms))
      return { article, terms, length: [...terms.values()].reduce((sum, count) => sum + count, 0) }
    })
    for (const { terms } of this.#articles) {
      for (const term of terms.keys()) {
        this.#documentFrequency.set(term, (this.#documentFrequency.get(term) ?? 0) + 1)
      }
    }
    const total = this.#articles.reduce((sum, { length }) => sum + length, 0)
    this.#averageLength = total / Math.max(1, this.#articles.length)
  }

  /** Returns the weight of a term: rare terms weigh more, unknown ones most. */
  weightOf(term: string): number {
    const frequency = this.#documentFrequency.get(term) ?? 0
    return Math.log(1 + (this.#articles.length - frequency + 0.5) / (frequency + 0.5))
  }

  /** Returns the best articles for a question, best first, and by id if scores are equal. */
  find(question: string, limit: number): Hit[] {
    const terms = [...new Set(searchTerms(question))]
    return this.#articles
      .map(({ article, length, terms: counts }) => {
        const norm = K1 * (1 - B + (B * length) / this.#averageLength)
        let score = 0
        for (const term of terms) {
          const count = counts.get(term) ?? 0
          score += (this.weightOf(term) * count * (K1 + 1)) / (count + norm)
        }
        return { article, score }
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.article.id < b.article.id ? -1 : 1))
      .slice(0, limit)
  }
}
