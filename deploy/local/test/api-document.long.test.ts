import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tryCommand } from '../process/run-command.ts'

// Linters, and generators of clients for TypeScript and Python, read the document of the gateway.

const url = process.env['SLIPWAY_URL'] ?? ''
const tools = process.env['SLIPWAY_API_TOOLS'] ?? ''
if (url === '' || tools === '') throw new Error('not set up: run through ./dev test --long')

const TSC = join(import.meta.dirname, '../../../node_modules/.bin/tsc')
const QUIET = ['REDOCLY_TELEMETRY=off', 'REDOCLY_SUPPRESS_UPDATE_NOTICE=true']

let folder: string
let document: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-api-document-'))
  document = join(folder, 'openapi.json')
  const response = await fetch(`${url}/api/v1/openapi.json`)
  await writeFile(document, await response.text())
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function node(program: string, ...args: readonly string[]) {
  return await tryCommand('env', [...QUIET, join(tools, 'node_modules/.bin', program), ...args])
}

async function python(...args: readonly string[]) {
  const path = `PYTHONPATH=${join(tools, 'python')}:${folder}`
  return await tryCommand('env', [path, 'PYTHONDONTWRITEBYTECODE=1', 'python3', ...args])
}

test('has no findings of spectral', async () => {
  const ruleset = join(folder, 'spectral.yaml')
  await writeFile(ruleset, "extends: ['spectral:oas']\n")
  const severity = ['--fail-severity', 'hint', '--display-only-failures']
  const result = await node('spectral', 'lint', '--ruleset', ruleset, ...severity, document)
  expect(result).toMatchObject({ code: 0, errors: '' })
})

test('has no findings of redocly with its strictest rules', async () => {
  const args = ['lint', '--extends', 'recommended-strict', '--format', 'json', document]
  const { code, output } = await node('redocly', ...args)
  expect([code, JSON.parse(output)]).toMatchObject([0, { problems: [] }])
})

test('becomes TypeScript with all responses', async () => {
  const generated = await node('openapi-typescript', document, '--output', join(folder, 'api.ts'))
  expect(generated.code).toBe(0)
  const use = `
    import type { components, paths } from './api.js'
    type Deploy = paths['/api/v1/deploy']['post']['responses']
    export const partial: Deploy[207]['content']['application/json']['status'] = 'partial'
    export function show(problem: Deploy[400]['content']['application/problem+json']): string {
      return [problem.code, ...(problem.validation_errors ?? [])].join()
    }
    export const state: components['schemas']['DeploymentState'] = 'ready'
    // @ts-expect-error A state that does not exist.
    export const wrong: components['schemas']['DeploymentState'] = 'running'
  `
  await writeFile(join(folder, 'use.ts'), use)
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', types: [] }
  const config = { compilerOptions, files: ['use.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  expect(await tryCommand(TSC, ['--project', folder])).toEqual({ code: 0, output: '', errors: '' })
})

test('becomes a Python client that reads all responses', async () => {
  const config = join(folder, 'config.yaml')
  await writeFile(config, 'post_hooks: []\n')
  const target = ['--output-path', join(folder, 'slipway_client'), '--meta', 'none']
  const args = ['generate', '--path', document, '--config', config, ...target]
  const generated = await python('-m', 'openapi_python_client', ...args)
  expect(generated).toMatchObject({ code: 0, errors: '' })
  expect(generated.output).not.toMatch(/warning|error/i)
  const script = `
import json, sys, httpx
from slipway_client import Client
from slipway_client.api.deployments import deploy
from slipway_client.models import DeployResult, Problem
operation = json.load(open(sys.argv[1]))
responses = operation["paths"]["/api/v1/deploy"]["post"]["responses"]
def content(status):
    name = responses[status]["$ref"].removeprefix("#/components/responses/")
    return operation["components"]["responses"][name]["content"]
partial = content("207")["application/json"]["example"]
bad = content("400")["application/problem+json"]
def read(status, body):
    response = httpx.Response(status, json=body)
    return deploy._parse_response(client=Client(base_url="http://x"), response=response)
assert isinstance(read(207, partial), DeployResult)
assert read(207, partial).status == "partial"
assert isinstance(read(400, bad["example"]), Problem)
assert read(400, bad["example"]).code == "invalid_argument"
`
  expect(await python('-c', script, document)).toEqual({ code: 0, output: '', errors: '' })
})
