import { beforeAll, describe, expect, test } from 'vitest'

import { personalAccount, type Answer } from '../support/api.ts'
import {
  ask,
  makeWorld,
  register,
  SECRET_WORD,
  type Caller,
  type World,
} from './support/catalog-fixture.ts'

// For outsiders, unpublished builds don't exist.
const OUTSIDERS = ['stranger', 'anonymous', 'expired', 'forged'] as const

let world: World

beforeAll(async () => {
  world = await makeWorld()
})

/**
 * Everything in a response that could reveal something, except the parts that depend on the
 * request.
 */
function visible({ status, headers, text }: Answer, name: string): unknown {
  const shown = ['content-type', 'cache-control', 'vary', 'www-authenticate', 'retry-after']
  return {
    status,
    headers: Object.fromEntries(shown.map((header) => [header, headers.get(header)])),
    text: text.replaceAll(name, 'NAME').replace(/"request_id":"[^"]+"/, ''),
  }
}

describe.each(OUTSIDERS)('a caller who is %s', (caller: Caller) => {
  test.each([
    ['detail', ''],
    ['config', '/config'],
    ['template', '/deployment-template'],
    ['template of a build', '/deployment-template?build=h1'],
  ])('can’t tell an unpublished agent from a missing one by its %s', async (_what, rest) => {
    const { account, hidden } = world
    const none = 'no-such-agent-at-all'
    const [first, second] = await Promise.all(
      [hidden, none].map(async (name) =>
        visible(await ask('GET', `/agents/${account}/${name}${rest}`, caller), name),
      ),
    )
    expect(first).toEqual(second)
  })

  test('finds nothing unpublished in lists, counts or searches', async () => {
    const { account, published, hidden } = world
    const texts = []
    for (const path of [
      `/agents?account=${account}&include=spec,readme`,
      `/agents/${account}`,
      `/agents/${account}/${published}`,
    ]) {
      const { text, body } = await ask('GET', path, caller)
      texts.push(text)
      const versions =
        body.versions ?? body.agents.flatMap((agent: { versions: unknown[] }) => agent.versions)
      expect([path, body.count ?? 1, versions.length]).toEqual([path, 1, 1])
      expect(Object.keys(versions[0])).not.toEqual(expect.arrayContaining(['registered_at']))
      expect(Object.keys(versions[0])).not.toEqual(expect.arrayContaining(['validation_warnings']))
    }
    for (const secret of [SECRET_WORD, hidden, '"b2"', '"h1"'])
      expect(texts.join()).not.toContain(secret)
    for (const query of [
      `q=${SECRET_WORD}`,
      `q=${SECRET_WORD.slice(0, 8)}`,
      `q=${hidden}`,
      `tag=${SECRET_WORD}`,
    ]) {
      expect((await ask('GET', `/agents?${query}`, caller)).body).toEqual({ agents: [], count: 0 })
    }
    // Cursors don't reveal it either.
    const cursor = Buffer.from(`${hidden}/${account}`).toString('base64url')
    const none = Buffer.from(`${hidden}x/${account}`).toString('base64url')
    const [afterHidden, afterMissing] = await Promise.all(
      [cursor, none].map(
        async (start) => (await ask('GET', `/agents/${account}?cursor=${start}`, caller)).text,
      ),
    )
    expect(afterHidden).toBe(afterMissing)
  })

  test('can’t detect a registration by an entity tag', async () => {
    const { account, published } = world
    const paths = [
      `/agents?account=${account}`,
      `/agents/${account}`,
      `/agents/${account}/${published}`,
    ]
    const tags = async () =>
      await Promise.all(
        paths.map(async (path) => (await ask('GET', path, caller)).headers.get('etag')),
      )
    const before = await tags()
    await register(world, published, `after-${caller}`, SECRET_WORD)
    await register(world, `more-${caller}-${world.hidden}`, 'b1', SECRET_WORD)
    expect(await tags()).toEqual(before)
  })

  test('gets the published build where members get the latest', async () => {
    const { account, published } = world
    const path = `/agents/${account}/${published}`
    const { body } = await ask('GET', path, caller)
    expect(body.versions.map(({ build_id: buildId }: { build_id: string }) => buildId)).toEqual([
      'b1',
    ])
    const config = await ask('GET', `${path}/config`, caller)
    const template = await ask('GET', `${path}/deployment-template?format=json`, caller)
    const expected = caller === 'stranger' ? [200, 200] : [401, 401]
    expect([config.status, template.status]).toEqual(expected)
    expect([config.body.build_id ?? 'b1', template.text.includes(SECRET_WORD)]).toEqual([
      'b1',
      false,
    ])
  })
})

describe('a stranger gets the same rejection for an unpublished agent as for a missing one', () => {
  const build = { build_id: 'h1', registry: 'r.example/x', spec_content: 'name: x\n' }
  test.each<[string, string, object?]>([
    ['POST', '/agents/ACCOUNT/NAME/register', build],
    ['POST', '/agents/ACCOUNT/NAME/publish', { build_id: 'h1', version: '1.0.0' }],
    ['POST', '/agents/ACCOUNT/NAME/versions/1.0.0/yank'],
    ['POST', '/agents/ACCOUNT/NAME/versions/1.0.0/unyank'],
    ['HEAD', '/agents/ACCOUNT/NAME'],
    ['HEAD', '/agents/ACCOUNT/NAME/config'],
    ['GET', '/agents/ACCOUNT/NAME/config?interfaces=slack'],
    ['GET', '/agents/ACCOUNT/NAME/deployment-template?format=json'],
    ['GET', '/agents/ACCOUNT/NAME/deployment'],
    ['GET', '/agents/ACCOUNT/NAME/deployment/revisions'],
    ['GET', '/agents/ACCOUNT/NAME/deployment/revisions/1'],
    ['GET', '/agents/ACCOUNT/NAME/deployment/events'],
    ['GET', '/agents/ACCOUNT/NAME/deployment/logs'],
    ['POST', '/agents/ACCOUNT/NAME/deployment/rollback', {}],
    ['POST', '/agents/ACCOUNT/NAME/deployment/rotate-ingest-token'],
    ['GET', '/agents/ACCOUNT/NAME/observability/traces'],
    ['GET', '/agents/ACCOUNT/NAME/observability/sessions'],
    ['GET', '/agents/ACCOUNT/NAME/observability/metrics'],
    ['GET', '/agents/ACCOUNT/NAME/observability/summary'],
    ['POST', '/deploy', { account: 'ACCOUNT', name: 'NAME' }],
    ['POST', '/deploy', { account: 'OWN', name: 'NAME', source_account: 'ACCOUNT' }],
    ['POST', '/deploy/validate', { account: 'OWN', name: 'NAME', source_account: 'ACCOUNT' }],
    ['POST', '/undeploy', { account: 'ACCOUNT', name: 'NAME' }],
  ])('%s %s %j', async (method, path, body) => {
    const { account, hidden } = world
    const own = await personalAccount('mallory')
    const answers = []
    for (const name of [hidden, 'no-such-agent-at-all']) {
      const filled = (text: string) =>
        text.replace('ACCOUNT', account).replace('NAME', name).replace('OWN', own)
      const options =
        body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body))) as object }
      const answer = await ask(method, filled(path), 'stranger', options)
      expect([answer.status, [403, 404].includes(answer.status)]).toEqual([answer.status, true])
      const lengthWithoutName = Number(answer.headers.get('content-length')) - name.length
      answers.push([visible(answer, name), method === 'HEAD' ? lengthWithoutName : 0])
    }
    expect(answers[0]).toEqual(answers[1])
  })
})
