import { createHash } from 'node:crypto'
import { chownSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { runCommand } from '../process/run-command.ts'
import { fillOnce } from './fill-once.ts'
import { findGo, runGo } from './go.ts'
import type { BuildPlace, Go } from './go.ts'
import { customKindSchemas, kindSchemas } from './kind-schemas.ts'
import type { CustomResourceDefinition, KindSchema, Schema } from './kind-schemas.ts'

/** The versions of Kubernetes that the chart is checked against: the newest three minor ones. */
export const KUBERNETES_VERSIONS = ['1.35.4', '1.36.3', '1.37.1'] as const

const KUBERNETES = 'k8s.io/kubernetes'
const PROMETHEUS_OPERATOR = {
  module: 'github.com/prometheus-operator/prometheus-operator',
  version: 'v0.85.0',
}

/** The folder below which the schemas of custom resources are. */
export const CUSTOM_RESOURCES = 'custom-resources'

/**
 * Returns a directory with the schemas of Kubernetes' kinds, below `v<version>`, and those of the
 * Prometheus operator. Downloads the Go modules that have them unless it is in the user's cache.
 */
export async function chartSchemas(
  place: BuildPlace,
  progress: (line: string) => void,
): Promise<string> {
  const directory = join(place.cacheDir, 'schemas', contentHash())
  const fill = async (draft: string) => {
    const go = await findGo(place, draft, progress)
    const { uid, gid } = go.identity
    if (uid !== undefined && gid !== undefined) chownSync(draft, uid, gid)
    await writeSchemas(go, draft, progress)
    // Under sudo the cache belongs to the caller.
    if (uid !== undefined) await runCommand('chown', ['--recursive', `${uid}:${gid}`, draft])
    return join(draft, 'schemas')
  }
  await fillOnce(place, directory, { what: 'the schemas', progress, fill })
  return directory
}

async function writeSchemas(
  go: Go,
  draft: string,
  progress: (line: string) => void,
): Promise<void> {
  const write = (folder: string, schemas: readonly KindSchema[]) => {
    for (const { file, schema } of schemas) {
      const path = join(draft, 'schemas', folder, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, JSON.stringify(schema))
    }
  }
  for (const version of KUBERNETES_VERSIONS) {
    progress(`downloading the schemas of Kubernetes ${version}`)
    const module = await downloadModule(go, draft, KUBERNETES, `v${version}`)
    for (const file of globSync(join(module, 'api/openapi-spec/v3/*.json'))) {
      const { components } = JSON.parse(readFileSync(file, 'utf8')) as OpenApi
      write(`v${version}`, kindSchemas(components?.schemas ?? {}))
    }
  }
  progress('downloading the schemas of the Prometheus operator')
  const { module, version } = PROMETHEUS_OPERATOR
  const operator = await downloadModule(go, draft, module, version)
  for (const file of globSync(join(operator, 'example/prometheus-operator-crd/*.yaml'))) {
    const definition = parse(readFileSync(file, 'utf8')) as CustomResourceDefinition
    write(CUSTOM_RESOURCES, customKindSchemas(definition))
  }
}

interface OpenApi {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

// The modules are needed only once, so they don't fill the user's module cache.
async function downloadModule(
  go: Go,
  draft: string,
  module: string,
  version: string,
): Promise<string> {
  const cache = join(draft, 'modules')
  const command = { ...go, env: { ...go.env, GOMODCACHE: cache } }
  const args = ['mod', 'download', `${module}@${version}`]
  const { code, output } = await runGo(command, args, draft, () => undefined)
  if (code !== 0) throw new Error(`can't download ${module} ${version}:\n${output}`)
  return join(cache, `${module}@${version}`)
}

/** Changes with the versions and the conversion. */
function contentHash(): string {
  const hash = createHash('sha256')
  for (const file of [import.meta.filename, join(import.meta.dirname, 'kind-schemas.ts')])
    hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
