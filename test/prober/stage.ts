import { randomBytes } from 'node:crypto'

import { ingestTokenOf } from '../support/ingest.ts'
import type { HttpSender, Sent } from './http-sender.ts'
import { inTurn } from './in-turn.ts'
import { problemOf } from './outcome.ts'

const DEPLOY_WAIT_S = 120
const DEPLOY_TIMEOUT_MS = (DEPLOY_WAIT_S + 80) * 1000
/** Fewer than the unpublished builds of an agent that the catalog keeps. */
const BUILDS_PER_AGENT = 60
const REGISTRY = 'registry.example.com'

/** A user, in whose account agents are registered. */
export interface Person {
  readonly account: string
  /** Returns a valid access token. */
  token(): Promise<string>
}

/** A deployed agent. */
export interface DeployedAgent {
  readonly person: Person
  readonly name: string
  readonly ingestToken: string
  /** A deploy is running; the deployer does one at a time. */
  isBusy: boolean
}

/** A build to register. */
export interface Build {
  readonly person: Person
  readonly name: string
  readonly buildId: string
}

/** What is probed, and by whom. */
export interface StageOptions {
  /** The gateway's URL, without a path. */
  readonly url: string
  /** Each returns the access token of a user. */
  readonly tokens: readonly (() => Promise<string>)[]
  /** The image of the agents to deploy, which listens on port 8080; none: no deploys, no traces. */
  readonly image?: string | undefined
  /** How many agents are deployed. */
  readonly agents?: number
}

/** The users and agents of a probe. */
export class Stage {
  readonly url: string
  readonly people: readonly Person[]
  readonly deployed: DeployedAgent[] = []
  /** The build that was registered last. */
  newest: Build
  /** The build that was published last. */
  newestPublished: Build
  readonly #sender: HttpSender
  readonly #image: string | undefined
  readonly #run = `probe-${randomBytes(4).toString('hex')}`
  readonly #nextPerson: () => Person
  #builds = 0

  private constructor(options: StageOptions, sender: HttpSender, people: readonly Person[]) {
    this.url = apiUrl(options)
    this.people = people
    this.#sender = sender
    this.#image = options.image
    this.#nextPerson = inTurn(people)
    this.newest = this.newBuild()
    this.newestPublished = this.newest
  }

  /** Signs the users in, publishes a build, and deploys the agents. Throws if any of it fails. */
  static async open(options: StageOptions, sender: HttpSender): Promise<Stage> {
    const url = apiUrl(options)
    const people = await Promise.all(options.tokens.map((token) => signIn(sender, url, token)))
    const stage = new Stage(options, sender, people)
    try {
      await stage.#publishFirst()
      const { image, agents = 3 } = options
      for (let index = 0; image !== undefined && index < agents; index += 1)
        await stage.#deployFirst(index)
      return stage
    } catch (error) {
      // A deploy that was never accepted can't be undone.
      await stage.close().catch(() => {})
      throw error
    }
  }

  /** A new build, of an agent that doesn't get too many of them. */
  newBuild(): Build {
    const count = (this.#builds += 1)
    const round = Math.floor(count / this.people.length / BUILDS_PER_AGENT)
    return { person: this.#nextPerson(), name: `${this.#run}-${round}`, buildId: `b${count}` }
  }

  /** A new build of a deployed agent. */
  nextBuildOf({ person, name }: DeployedAgent): Build {
    return { person, name, buildId: `b${(this.#builds += 1)}` }
  }

  /** The body that registers a build; each deploys another variable. */
  registration({ name, buildId }: Pick<Build, 'name' | 'buildId'>): object {
    const image = this.#image ?? `${REGISTRY}/none:1`
    const mark = { name: 'PROBE_BUILD', datatype: 'string', default: buildId, optional: true }
    const spec = { spec: 'astro/v1', name, agent: { image, port: 8080, inputs: { mark } } }
    return { build_id: buildId, registry: REGISTRY, spec_content: JSON.stringify(spec) }
  }

  /** Undeploys the agents. Published versions stay: they can't be deleted. */
  async close(): Promise<void> {
    for (const { person, name } of this.deployed.splice(0)) {
      const body = { account: person.account, name }
      await this.#expect('/undeploy', await person.token(), body)
    }
  }

  async #publishFirst(): Promise<void> {
    const { person, name, buildId } = this.newest
    const token = await person.token()
    const path = `/agents/${person.account}/${name}`
    await this.#expect(`${path}/register`, token, this.registration(this.newest))
    const body = { build_id: buildId, version: '1.0.0' }
    await this.#expect(`${path}/publish`, token, body)
  }

  async #deployFirst(index: number): Promise<void> {
    const person = this.#nextPerson()
    const name = `${this.#run}-deployed-${index}`
    const token = await person.token()
    const build = this.registration({ name, buildId: 'first' })
    await this.#expect(`/agents/${person.account}/${name}/register`, token, build)
    const agent = { person, name, ingestToken: '', isBusy: false }
    this.deployed.push(agent)
    const target = { account: person.account, name }
    const path = `/deploy?wait=${DEPLOY_WAIT_S}`
    const answer = await this.#expect(path, token, target)
    const { k8s_namespace: namespace } = answer as { readonly k8s_namespace: string }
    agent.ingestToken = await ingestTokenOf(namespace)
  }

  async #expect(path: string, token: string, body: object): Promise<unknown> {
    const url = `${this.url}${path}`
    return await expectSuccess(this.#sender, { method: 'POST', url, token, body })
  }
}

function apiUrl({ url }: Pick<StageOptions, 'url'>): string {
  return `${url.replace(/\/$/, '')}/api/v1`
}

async function signIn(
  sender: HttpSender,
  url: string,
  token: () => Promise<string>,
): Promise<Person> {
  const me = await expectSuccess(sender, { method: 'GET', url: `${url}/me`, token: await token() })
  const { accounts } = me as { readonly accounts: readonly { name: string; role: string }[] }
  const account = accounts.find(({ role }) => role !== 'member')
  if (account === undefined) throw new Error('a user is owner or admin of no account')
  return { account: account.name, token }
}

async function expectSuccess(sender: HttpSender, sent: Sent): Promise<unknown> {
  const outcome = await sender.send({ ...sent, timeoutMs: DEPLOY_TIMEOUT_MS })
  if ('status' in outcome && problemOf(outcome) === undefined) return outcome.body
  throw new Error(`${sent.method} ${sent.url}: ${JSON.stringify(outcome)}`)
}
