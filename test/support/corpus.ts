import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildAgentImage, buildAndPushAgent, registrationOf } from '@slipway/agent-image'
import {
  CORPUS_PORT,
  MODEL_IMAGE,
  preparedProject,
  type CorpusProject,
} from '@slipway/agent-image/corpus'
import { waitFor } from '@slipway/testing'
import { beforeAll, expect, test } from 'vitest'

import { personalAccount, request } from './api.ts'
import { callService } from './cluster.ts'
import { fromStack } from './environment.ts'

const registry = fromStack('SLIPWAY_REGISTRY')

/** Tests that projects which are built from the cache, without a network, run in the cluster. */
export function testAnswers(projects: readonly CorpusProject[]): void {
  beforeAll(async () => {
    if (projects.some(({ usesModel }) => usesModel)) await pushModel()
  })

  test.concurrent.each(projects)('$name answers in the cluster', async (project) => {
    const { name, answer, request: asked = { path: '/' } } = project
    const { folder } = await preparedProject(project)
    const account = await personalAccount('alice')
    const pushed = await buildAndPushAgent(folder, { registry, from: 'project' })
    const registered = await request('POST', `/agents/${account}/${name}/register`, {
      as: 'alice',
      body: await registrationOf(folder, pushed),
    })
    expect([registered.status, registered.text]).toEqual([201, expect.any(String)])
    try {
      const { body } = await request('POST', '/deploy?wait=240', {
        as: 'alice',
        body: { account, name, build_id: pushed.buildId },
      })
      expect(body).toMatchObject({ status: 'success', rollout: { state: 'ready' } })
      const endpoints = body.service_endpoints as { type: string; url: string }[]
      const url = new URL(endpoints.find(({ type }) => type === 'http')?.url ?? '')
      const [service = ''] = url.hostname.split('.', 1)
      const text = await waitFor(
        async () =>
          JSON.stringify(
            await callService(body.k8s_namespace, service, CORPUS_PORT, asked.path, asked.body),
          ),
        { what: `an answer of ${name}` },
      )
      expect(text).toContain(answer)
    } finally {
      await request('POST', '/undeploy', { as: 'alice', body: { account, name } })
    }
  })
}

/** What the model is asked, and what it answers. */
const SCENARIO = {
  system: '',
  turns: [
    {
      text: 'capital of France',
      tools: [],
      replies: [{ text: 'It is Paris.', usage: { input: 7, output: 5, cached: 0, reasoning: 0 } }],
    },
  ],
}

/** Pushes the model server with which framework's traces are recorded, as an image. */
async function pushModel(): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'slipway-corpus-'))
  const folder = join(parent, 'corpus-model')
  try {
    const make = join(import.meta.dirname, '../recordings/make')
    for (const name of ['model-server', 'local-server.ts', 'scenario.ts'])
      await cp(join(make, name), join(folder, name), { recursive: true })
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ type: 'module', bin: { agent: './main.ts' } }),
    )
    await writeFile(
      join(folder, 'main.ts'),
      `import { startModelServer } from './model-server/model-server.ts'
const scenario = ${JSON.stringify(SCENARIO)}
await startModelServer(scenario, { add() {} }, { port: ${CORPUS_PORT}, host: '0.0.0.0' })
`,
    )
    const [, tag = ''] = /corpus-model:(.*)$/.exec(MODEL_IMAGE) ?? []
    const { reference } = await buildAgentImage(folder, { registry, tag })
    expect(reference).toBe(MODEL_IMAGE)
  } finally {
    await rm(parent, { recursive: true })
  }
}
