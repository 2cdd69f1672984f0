import { authoredFiles } from './authored-files.ts'
import type { AuthoredFile } from './authored-files.ts'
import { chartAlarms } from './chart/alarms.ts'
import { chartLint } from './chart/lint.ts'
import { sameObjects } from './chart/same-objects.ts'
import { chartFitsKubernetes } from './chart/schemas.ts'
import { chartUnitTests } from './chart/unit-tests.ts'
import { licenses, vulnerabilities } from './dependencies.ts'
import { fileSize } from './file-size.ts'
import { generatedCode } from './generated-code.ts'
import { lineLength } from './line-length.ts'
import { protoCompatibility } from './proto-compatibility.ts'
import { registryHosts } from './registry-hosts.ts'
import { runTool } from './run-tool.ts'
import { wording } from './wording.ts'

/** One static check. */
export interface StaticCheck {
  readonly name: string
  /** Returns the problems, or undefined if there are none. */
  readonly run: (checkout: string) => Promise<string | undefined>
}

/** Excludes vendored protos, which keep their published format. */
const OWN_PROTOS = ['google', 'grpc', 'opentelemetry'].flatMap((folder) => [
  '--exclude-path',
  `proto/${folder}`,
])

/** All checks that need only the sources, no running servers. */
export const staticChecks: readonly StaticCheck[] = [
  { name: 'types (tsc)', run: tool('tsc', '-p', 'tsconfig.json') },
  { name: 'types of the console (tsc)', run: tool('tsc', '-p', 'apps/console') },
  { name: 'lint (oxlint)', run: tool('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'format (oxfmt)', run: tool('oxfmt', '--check') },
  { name: 'unused code and dependencies (knip)', run: tool('knip') },
  { name: 'proto lint (buf)', run: tool('buf', 'lint') },
  {
    name: 'proto format (buf)',
    run: tool('buf', 'format', '--diff', '--exit-code', ...OWN_PROTOS),
  },
  { name: 'proto compatibility (buf)', run: protoCompatibility },
  { name: 'generated code is up to date (buf)', run: generatedCode },
  {
    name: 'the reference of the agent spec is up to date',
    run: tool(process.execPath, 'packages/agent-spec/scripts/write-reference.ts', '--check'),
  },
  {
    name: "the client's types are up to date",
    run: tool(process.execPath, 'packages/client/scripts/generate.ts', '--check'),
  },
  {
    name: 'the reference of the command line is up to date',
    run: tool(process.execPath, 'apps/cli/scripts/write-reference.ts', '--check'),
  },
  { name: 'the launcher parses (sh)', run: tool('sh', '-n', 'dev') },
  { name: 'the lockfile has no registry URLs', run: registryHosts },
  { name: 'licenses of dependencies (pnpm sbom)', run: licenses },
  { name: 'known vulnerabilities (pnpm audit)', run: vulnerabilities },
  { name: 'file size', run: perFile(fileSize) },
  { name: 'line length', run: perFile(lineLength) },
  { name: 'wording', run: perFile(wording) },
  { name: 'chart lint (helm)', run: chartLint },
  { name: 'chart in Helm 3 and Helm 4', run: sameObjects },
  { name: 'chart tests (helm-unittest)', run: chartUnitTests },
  { name: 'chart objects (kubeconform)', run: chartFitsKubernetes },
  { name: 'chart alarms (promtool)', run: chartAlarms },
]

function tool(program: string, ...args: string[]): StaticCheck['run'] {
  return async (checkout) => await runTool(checkout, program, args)
}

function perFile(check: (file: AuthoredFile) => readonly string[]): StaticCheck['run'] {
  return async (checkout) => {
    const problems: string[] = []
    for await (const file of authoredFiles(checkout)) problems.push(...check(file))
    return problems.length === 0 ? undefined : problems.join('\n')
  }
}
