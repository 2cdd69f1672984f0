const SESSION = '__Host-slipway-session'

/** A response that wasn't followed. */
export interface BrowserAnswer {
  readonly status: number
  readonly headers: Headers
  readonly location: string | undefined
  readonly text: string
  // Responses have many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Differences to a request of a page of the same origin. */
export interface BrowserRequest {
  readonly method?: string
  /** A value of undefined leaves the header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string
}

/**
 * A browser as far as sign-in needs one: cookies by host, as a browser keeps them on all ports of
 * it, and the headers that tell servers who has made a request.
 */
export class TestBrowser {
  readonly cookies = new Map<string, string>()

  /** The cookie of the session. */
  get session(): string | undefined {
    return this.cookies.get(SESSION)
  }

  set session(value: string | undefined) {
    if (value === undefined) this.cookies.delete(SESSION)
    else this.cookies.set(SESSION, value)
  }

  /** Sends a request, and keeps the cookies of the response. Follows no redirect. */
  async send(url: string | URL, { method = 'GET', headers = {}, body }: BrowserRequest = {}) {
    const all: Record<string, string | undefined> = {
      'sec-fetch-site': 'same-origin',
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...headers,
    }
    const given = Object.entries(all).flatMap(([name, value]): [string, string][] =>
      value === undefined || value === '' ? [] : [[name, value]],
    )
    const init = { method, headers: given, redirect: 'manual', ...(body !== undefined && { body }) }
    const response = await fetch(url, init as RequestInit)
    this.#keep(response.headers.getSetCookie())
    const text = await response.text()
    const answer: BrowserAnswer = {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location') ?? undefined,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    }
    return answer
  }

  /** Opens a page as a person does, and follows redirects until the URL begins with `until`. */
  async open(url: string | URL, until?: string): Promise<BrowserAnswer & { readonly url: URL }> {
    let next = new URL(url)
    for (let redirects = 0; redirects < 10; redirects += 1) {
      const answer = await this.send(next, { headers: { 'sec-fetch-site': 'none' } })
      const target = answer.location && URL.parse(answer.location, next.href)
      if (!target) return { ...answer, url: next }
      next = target
      if (until !== undefined && next.href.startsWith(until)) return { ...answer, url: next }
    }
    throw new Error(`too many redirects at ${next.href}`)
  }

  /**
   * Begins a sign-in and answers the provider's form, up to the way back: returns the URL of the
   * callback, which is not opened.
   */
  async approve(gateway: string, user: string, query = ''): Promise<URL> {
    const callback = `${gateway}/auth/callback`
    const page = await this.open(`${gateway}/auth/sign-in${query}`, callback)
    if (page.url.href.startsWith(callback)) return page.url
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const answer = await this.send(new URL(action, page.url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `login=${user}`,
    })
    return (await this.open(new URL(answer.location ?? '', page.url), callback)).url
  }

  /** Signs a person in; returns the response of the callback. */
  async signIn(gateway: string, user: string, query = ''): Promise<BrowserAnswer> {
    const callback = await this.approve(gateway, user, query)
    return await this.send(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/;\s*max-age=0\b/i.test(line) || /;\s*expires=Thu, 01 Jan 1970/i.test(line))
        this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}
