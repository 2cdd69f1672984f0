import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { readGuidePages, writeRecording, type GuidePage } from '@slipway/testing/recordings'
import type { Environment } from './environment.ts'
import { expectedOf } from './expected.ts'
import { Ledger } from './model-server/ledger.ts'
import { startModelServer } from './model-server/model-server.ts'
import { startOtlpRecorder, type SentRequest } from './otlp-recorder.ts'
import { assertNeutral, withoutFolders } from './recorded-bytes.ts'
import { runProgram } from './run-program.ts'
import type { Scenario } from './scenario.ts'
import { scenarios, type ScenarioName } from './scenarios.ts'
import type { Sender, SenderCase } from './sender.ts'

/** No library reports on itself, and none looks for a host or a process to describe. */
const QUIET = {
  ANONYMIZED_TELEMETRY: 'false',
  CREWAI_DISABLE_TELEMETRY: 'true',
  CREWAI_TELEMETRY_OPT_OUT: 'true',
  CREWAI_TRACING_ENABLED: 'false',
  DO_NOT_TRACK: '1',
  MASTRA_TELEMETRY_DISABLED: '1',
  NODE_NO_WARNINGS: '1',
  OTEL_EXPERIMENTAL_RESOURCE_DETECTORS: 'none',
  OTEL_NODE_RESOURCE_DETECTORS: 'env',
  PYTHONDONTWRITEBYTECODE: '1',
  TRACELOOP_TELEMETRY: 'false',
}

/** Runs one case of a sender, and writes what it sent into `<sender>/<case>.json`. */
export async function record(
  sender: Sender,
  name: string,
  environment: Environment,
  recordings: string,
): Promise<number> {
  const given = sender.cases[name] ?? {}
  const scenarioName = given.scenario ?? (name as ScenarioName)
  const scenario: Scenario = scenarios[scenarioName]
  const page = given.isGuide ? guidePage(sender) : undefined
  const settings = page?.settings ?? { ...sender.defaults?.env, ...given.env }
  const requests: SentRequest[] = []
  const ledger = new Ledger()
  {
    await using models = await startModelServer(scenario, ledger)
    await using recorder = await startOtlpRecorder(requests, TOKEN)
    const platform = page ? PLATFORM : {}
    const env = programEnvironment(models.url, recorder.url, { ...platform, ...settings })
    const program = page ? writeProgram(page, environment) : copyProgram(sender, environment)
    const mode = [sender.defaults?.mode, given.mode].filter(Boolean).join('+')
    const turns = scenario.turns.map(({ text }) => text)
    const task = { ...scenario, turns, name: scenarioName, mode }
    await runProgram([environment.command, program], {
      cwd: environment.folder,
      env: { ...env, RECORDED_CASE: JSON.stringify(task) },
    })
  }
  if (requests.length === 0) throw new Error(`${sender.name}/${name}: nothing was sent`)

  const neutral = requests.map(({ path, contentType, body }) => {
    const bytes = withoutFolders(body, environment.folders)
    assertNeutral(bytes)
    return { path, contentType, body: bytes }
  })
  mkdirSync(join(recordings, sender.name), { recursive: true })
  const text = writeRecording({
    packages: versions(sender, environment, page ? Object.keys(page.packages) : sender.packages),
    settings,
    ...(page && { guide_sha256: page.sha256 }),
    requests: neutral,
    ledger: ledger.bills,
    expected: expectedOf(scenario, ledger.bills, withDefaults(sender, given)),
  })
  writeFileSync(join(recordings, sender.name, `${name}.json`), text)
  return text.length
}

const TOKEN = 'ingest-token'
/** What else a deploy sets. */
const PLATFORM = { OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental' }

function guidePage({ name }: Sender): GuidePage {
  const page = readGuidePages().find((each) => each.name === name)
  if (page === undefined) throw new Error(`docs/guide/frameworks/${name}.md is missing`)
  return page
}

/** Writes the program of a page as a reader would. */
function writeProgram({ runtime, program }: GuidePage, { folder }: Environment): string {
  const target = join(folder, 'program')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  const file = join(target, runtime === 'python' ? 'agent.py' : 'agent.ts')
  writeFileSync(file, program)
  return file
}

/** Copies the program next to its packages: stack traces then name no folder of the checkout. */
function copyProgram({ folder, program, runtime }: Sender, environment: Environment): string {
  const file = program ?? join(folder, runtime === 'python' ? 'program.py' : 'program.ts')
  const target = join(environment.folder, 'program')
  rmSync(target, { recursive: true, force: true })
  cpSync(join(import.meta.dirname, runtime), target, { recursive: true })
  cpSync(file, join(target, basename(file)))
  return join(target, basename(file))
}

function programEnvironment(models: string, recorder: string, settings: Record<string, string>) {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    ...QUIET,
    ANTHROPIC_API_KEY: 'unused',
    ANTHROPIC_BASE_URL: models,
    AWS_ACCESS_KEY_ID: 'unused',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: models,
    AWS_REGION: 'us-east-1',
    AWS_SECRET_ACCESS_KEY: 'unused',
    AZURE_OPENAI_API_KEY: 'unused',
    AZURE_OPENAI_ENDPOINT: models,
    GEMINI_API_KEY: 'unused',
    GOOGLE_GEMINI_BASE_URL: models,
    GOOGLE_VERTEX_BASE_URL: models,
    OLLAMA_HOST: models,
    OPENAI_API_BASE: `${models}/v1`,
    OPENAI_API_KEY: 'unused',
    OPENAI_BASE_URL: `${models}/v1`,
    OTEL_EXPORTER_OTLP_ENDPOINT: recorder,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${TOKEN}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_SERVICE_NAME: 'agent',
    ...settings,
  }
}

function withDefaults({ defaults = {} }: Sender, given: SenderCase): SenderCase {
  return {
    ...given,
    expected: { ...defaults.expected, ...given.expected },
    notSent: { ...defaults.notSent, ...given.notSent },
  }
}

/** The versions as the list of the sender's packages pins them. */
function versions(
  { folder, runtime }: Sender,
  environment: Environment,
  packages: readonly string[],
) {
  if (runtime === 'node') {
    const file = join(environment.folder, 'package.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
      dependencies: Record<string, string>
    }
    return Object.fromEntries(packages.map((name) => [name, manifest.dependencies[name] ?? '']))
  }
  const lines = readFileSync(join(folder, 'requirements.txt'), 'utf8').split('\n')
  const pinned = new Map(lines.map((line) => line.split('==') as [string, string]))
  return Object.fromEntries(packages.map((name) => [name, pinned.get(name) ?? '']))
}
