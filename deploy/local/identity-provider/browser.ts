/** A form on a web page. */
export interface PageForm {
  readonly action: string
  readonly method: string
  readonly fields: ReadonlyMap<string, string>
}

/** Returns the first form of a page, with the current values of its inputs. */
export function findForm(html: string): PageForm | undefined {
  const form = /<form\b([^>]*)>([\s\S]*?)<\/form>/i.exec(html)
  if (!form) return undefined
  const attributes = readAttributes(form[1] ?? '')
  const fields = new Map<string, string>()
  for (const input of (form[2] ?? '').matchAll(/<input\b([^>]*)>/gi)) {
    const field = readAttributes(input[1] ?? '')
    const name = field.get('name')
    if (name !== undefined && field.get('type') !== 'submit')
      fields.set(name, field.get('value') ?? '')
  }
  return {
    action: attributes.get('action') ?? '',
    method: (attributes.get('method') ?? 'get').toUpperCase(),
    fields,
  }
}

function readAttributes(text: string): Map<string, string> {
  const pairs = [...text.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)]
  return new Map(
    pairs.map(([, name, value]) => [(name ?? '').toLowerCase(), decodeEntities(value ?? '')]),
  )
}

function decodeEntities(text: string): string {
  const named: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
  }
  return text.replace(
    /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      return named[name ?? ''] ?? all
    },
  )
}

/** A minimal browser that can sign in on a web page: it keeps cookies and follows redirects. */
export class Browser {
  // It opens pages of one host only, so cookies need no domain.
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>()

  /** Opens a page or submits a form; returns the final URL, status and page after redirects. */
  async open(
    url: string | URL,
    form?: URLSearchParams,
  ): Promise<{ url: URL; status: number; html: string }> {
    let next = new URL(url)
    let body = form
    for (let redirects = 0; redirects < 10; redirects += 1) {
      const response = await fetch(next, {
        redirect: 'manual',
        headers: { accept: 'text/html', cookie: this.#cookieHeader(next) },
        signal: AbortSignal.timeout(10_000),
        ...(body ? { method: 'POST', body } : {}),
      })
      this.#keepCookies(next, response.headers.getSetCookie())
      const html = await response.text()
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) {
        return { url: next, status: response.status, html }
      }
      next = new URL(location, next)
      body = undefined
    }
    throw new Error(`too many redirects at ${next.href}`)
  }

  #cookieHeader(url: URL): string {
    const matching = [...this.#cookies.values()].filter(
      ({ path }) =>
        url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
    )
    return matching.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  #keepCookies(url: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      const attribute = (wanted: string) =>
        attributes
          .find((each) => each.toLowerCase().startsWith(`${wanted}=`))
          ?.slice(wanted.length + 1)
      const path = attribute('path') ?? url.pathname
      const key = `${name} ${path}`
      const expires = attribute('expires')
      if (expires !== undefined && Date.parse(expires) < Date.now()) this.#cookies.delete(key)
      else this.#cookies.set(key, { name, value: pair.slice(pair.indexOf('=') + 1), path })
    }
  }
}
