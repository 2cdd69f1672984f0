import { newTraceId, sendSpans } from './ingest.ts'
import type { WholeInstall } from './whole-install.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** A build to register and publish. */
export interface PublishedBuild {
  readonly account: string
  readonly name: string
  readonly version: string
  readonly registry: string
  readonly spec: string
}

type InstallAddresses = Pick<WholeInstall, 'url' | 'ingestUrl'>

/** A user of an install, with a personal account. */
export class InstallUser {
  readonly account: string
  readonly #install: InstallAddresses
  readonly #token: string

  private constructor(install: InstallAddresses, token: string, account: string) {
    this.#install = install
    this.#token = token
    this.account = account
  }

  /** Signs in. */
  static async open(install: InstallAddresses, token: string): Promise<InstallUser> {
    const { body } = await new InstallUser(install, token, '').send('GET', '/me')
    const personal = body.accounts.find(({ type }: { type: string }) => type === 'personal')
    return new InstallUser(install, token, personal.name)
  }

  /** Sends a request; the path starts below `/api/v1`. */
  async send(method: string, path: string, content?: unknown) {
    const response = await fetch(`${this.#install.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(content !== undefined && { 'content-type': 'application/json' }),
      },
      ...(content !== undefined && { body: JSON.stringify(content) }),
    })
    // Responses have many shapes.
    // oxlint-disable-next-line typescript/no-explicit-any
    const body = (await response.json()) as any
    return { status: response.status, body }
  }

  /** Sends a request that must succeed; returns the body. */
  async ok(method: string, path: string, content?: unknown) {
    const { status, body } = await this.send(method, path, content)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  async publish({ account, name, version, registry, spec }: PublishedBuild): Promise<void> {
    const build = { build_id: `build-of-${version}`, registry, spec_content: spec }
    await this.ok('POST', `/agents/${account}/${name}/register`, { ...build, readme: `# ${name}` })
    const publication = { build_id: build.build_id, version }
    await this.ok('POST', `/agents/${account}/${name}/publish`, publication)
  }

  /** Deploys an agent and waits for its pods. */
  async deploy(name: string, more: object = {}) {
    return await this.send('POST', '/deploy?wait=120', { account: this.account, name, ...more })
  }

  async deployment(name: string) {
    return await this.send('GET', `/agents/${this.account}/${name}/deployment`)
  }

  async undeploy(name: string): Promise<void> {
    await this.ok('POST', '/undeploy', { account: this.account, name })
  }

  /** Sends a span with the ingest token of an agent; returns the id of its trace. */
  async sendSpan(token: string): Promise<string> {
    const traceId = newTraceId()
    const span = { traceId, attributes: { question: 'why?' }, tokens: '7' }
    const { status } = await sendSpans(token, [span], { url: this.#install.ingestUrl })
    if (status !== 200) throw new Error(`the ingest returned ${status}`)
    return traceId
  }

  /** Everything that a user reads about an agent. */
  async readAll(name: string): Promise<Readonly<Record<string, unknown>>> {
    const agent = `/agents/${this.account}/${name}`
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
    const time = (days: number) => new Date(today + days * DAY_MS).toISOString()
    const range = `start_time=${time(-1)}&end_time=${time(1)}`
    const { traces } = await this.ok('GET', `${agent}/observability/traces?${range}`)
    const paths = [
      `/agents/${this.account}`,
      `/accounts/${this.account}/members`,
      agent,
      `${agent}/config`,
      `${agent}/deployment/revisions`,
      `${agent}/deployment`,
      ...['traces', 'summary', 'metrics'].map((what) => `${agent}/observability/${what}?${range}`),
      ...traces.map(
        ({ trace_id: id }: { trace_id: string }) => `${agent}/observability/traces/${id}`,
      ),
    ]
    const read = paths.map(async (path) => [path, await this.ok('GET', path)] as const)
    return Object.fromEntries(await Promise.all(read)) as Readonly<Record<string, unknown>>
  }
}
