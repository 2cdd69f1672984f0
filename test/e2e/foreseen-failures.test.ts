import { afterAll, expect, test } from 'vitest'

import { personalAccount, request } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'

// What can be known to fail is said before anything is deployed.

const NAME = 'foreseen-failures'

afterAll(async () => {
  const body = { account: await personalAccount('alice'), name: NAME }
  await request('POST', '/undeploy', { as: 'alice', body })
})

/** Registers a build, and returns its warnings and what deploy and validate say about it. */
async function tryOut(build: string, more: string) {
  const account = await personalAccount('alice')
  const body = {
    build_id: build,
    registry: 'oci://registry.example',
    spec_content: `spec: astro/v1\nname: ${NAME}\n${more}`,
  }
  const path = `/agents/${account}/${NAME}/register`
  const registered = await request('POST', path, { as: 'alice', body })
  const target = { as: 'alice', body: { account, name: NAME } } as const
  const validated = await request('POST', '/deploy/validate', target)
  const deployed = await request('POST', '/deploy', target)
  return { registered, validated, deployed }
}

test.each([
  [
    'a component that only says how to build its image',
    'unbuilt',
    'agent: {image: "registry.invalid/a:1"}\n' +
      'tools: {search: {container: {build: {context: ., dockerfile: Dockerfile}}}}\n',
    { field: 'tools.search.container.image', message: expect.stringContaining('build the image') },
    [expect.stringMatching(/^tools\.search\.image: has only `build`: build the image, push it/)],
  ],
  [
    'an unknown provider',
    'unknown',
    'agent: {image: "registry.invalid/a:1"}\nmodels: {main: {provider: opnai}}\n',
    { field: 'models.main.provider', message: expect.stringContaining('unknown provider opnai') },
    [
      expect.stringMatching(
        /^models\.main\.provider: unknown provider opnai: known providers are /,
      ),
    ],
  ],
])('%s is refused, after a warning at register', async (_what, build, more, warning, problems) => {
  const { registered, validated, deployed } = await tryOut(build, more)
  expect([registered.status, registered.body.validation_warnings]).toEqual([201, [warning]])
  for (const { status, body } of [validated, deployed])
    expect([status, body.code, body.validation_errors]).toEqual([
      400,
      'validation_failed',
      problems,
    ])
})

test('an image that its registry does not have is refused before anything changes', async () => {
  const image = `${fromStack('SLIPWAY_REGISTRY')}/no-such/image:1`
  const { deployed } = await tryOut('imageless', `agent: {image: "${image}"}\n`)
  expect([deployed.status, deployed.body.code, deployed.body.validation_errors]).toEqual([
    400,
    'validation_failed',
    [
      `agent.image: the registry has no such image: push ${image}, or correct the reference in ` +
        'the spec',
    ],
  ])
  const account = await personalAccount('alice')
  const state = await request('GET', `/agents/${account}/${NAME}/deployment`, { as: 'alice' })
  expect(state.status).toBe(404)
})
