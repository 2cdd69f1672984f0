/** The requests of a command that change something, and that the server has not answered yet. */
export class Unanswered {
  readonly #sent = new Set<string>()

  /** Whether there are any. */
  get isEmpty(): boolean {
    return this.#sent.size === 0
  }

  sent({ method, url }: SentRequest): void {
    if (isChange(method, url)) this.#sent.add(url)
  }

  answered({ url }: SentRequest): void {
    this.#sent.delete(url)
  }
}

interface SentRequest {
  readonly method: string
  readonly url: string
}

function isChange(method: string, url: string): boolean {
  if (method.toUpperCase() === 'GET') return false
  const { pathname, searchParams } = new URL(url)
  return !pathname.endsWith('/validate') && searchParams.get('dry_run') !== 'true'
}
