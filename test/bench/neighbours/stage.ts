import { seed } from '../catalog/seed.ts'
import { Client } from './client.ts'
import { deploy, expectOk, signIn, undeploy, type Deployed, type Person } from './people.ts'
import { startNeighboursSystem, type NeighboursSystem } from './system.ts'

/** After this time, a request of the bystander counts as never answered. */
const NO_ANSWER_MS = 60_000

/** Published agents of others, which searches find. */
const AGENTS = 100_000
/** Accounts of the attacker, besides the personal one. */
const TEAMS = 7
/** The readmes of the builds of the large agent; together about 8 MiB. */
const LARGE_BUILDS = 16
const LARGE_README = 'x'.repeat(500_000)

/**
 * The services with a large catalog, a bystander with a deployment, and an attacker with one in
 * each account.
 */
export interface Stage extends AsyncDisposable {
  readonly system: NeighboursSystem
  readonly bystander: Person
  readonly bystanders: Deployed
  readonly attacker: Person
  readonly attackers: readonly Deployed[]
}

/** Starts the services and deploys the agents. Disposing of the stage removes them. */
export async function setStage(): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const system = stack.use(await startNeighboursSystem())
  await seed(system.catalogDatabaseUrl, AGENTS, { varied: true })
  const bystander = await signIn(system, stack.use(new Client('127.0.0.1', NO_ANSWER_MS)), 'alice')
  const attacker = await signIn(system, stack.use(new Client('127.0.0.2')), 'mallory')
  const deployFor = async (person: Person, account: string) => {
    const deployed = await deploy(system, person, account)
    stack.defer(() => undeploy(system, person, account))
    return deployed
  }
  const post = async (path: string, body: object) => {
    const { client, token } = attacker
    await expectOk(client.send('POST', `${system.gatewayUrl}${path}`, { token, body }))
  }
  const bystanders = await deployFor(bystander, bystander.account)
  const attackers = [await deployFor(attacker, attacker.account)]
  for (let team = 0; team < TEAMS; team += 1) {
    const name = `mallory-team-${team}`
    await post('/accounts', { name })
    attackers.push(await deployFor(attacker, name))
  }
  const register = async (name: string, build: string, readme?: string) => {
    const spec = `spec: astro/v1\nname: ${name}\nagent: {image: nowhere.example/x:1}\n`
    const body = { build_id: build, registry: 'oci://registry.example', spec_content: spec, readme }
    await post(`/agents/${attacker.account}/${name}/register`, body)
  }
  for (let build = 0; build < LARGE_BUILDS; build += 1)
    await register('large', `b${build}`, LARGE_README)
  await register('never-ready', 'b')
  stack.defer(() => undeploy(system, attacker, attacker.account, 'never-ready'))
  const running = stack.move()
  return {
    system,
    bystander,
    bystanders,
    attacker,
    attackers,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
