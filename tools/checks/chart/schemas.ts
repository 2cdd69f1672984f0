import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  chartSchemas,
  CUSTOM_RESOURCES,
  KUBERNETES_VERSIONS,
} from '@slipway/local/install/chart-schemas'
import { SCHEMA_FILE } from '@slipway/local/install/kind-schemas'
import { tryCommand } from '@slipway/local/process/run-command'
import { firstRunReport, placeOf, program, render, valuesFiles } from '@slipway/helm/chart'

/** Reports objects of the chart that don't fit the schemas of a Kubernetes version. */
export async function chartFitsKubernetes(checkout: string): Promise<string | undefined> {
  const report = (line: string) => firstRunReport.log('schemas', line)
  const schemas = await chartSchemas(placeOf(checkout), report)
  for (const version of KUBERNETES_VERSIONS) {
    const problem = await fitsVersion(checkout, schemas, version)
    // Other versions mostly have the same problems.
    if (problem !== undefined) return `Kubernetes ${version}:\n${problem}`
  }
  return undefined
}

async function fitsVersion(
  checkout: string,
  schemas: string,
  version: string,
): Promise<string | undefined> {
  const helm = await program(checkout, 'helm')
  const directory = await mkdtemp(join(tmpdir(), 'slipway-chart-'))
  try {
    const write = async (values: string): Promise<string | undefined> => {
      const rendering = await render(helm, checkout, values, version)
      if ('problem' in rendering) return `${values}: ${rendering.problem}`
      await writeFile(join(directory, values.replaceAll('/', '-')), rendering.text)
      return undefined
    }
    const problems = await Promise.all(valuesFiles(checkout).map(write))
    const failure = problems.filter((problem) => problem !== undefined).join('\n')
    if (failure !== '') return failure
    const places = [`v${version}`, CUSTOM_RESOURCES].flatMap((folder) => [
      '-schema-location',
      join(schemas, folder, SCHEMA_FILE),
    ])
    const kubeconform = await program(checkout, 'kubeconform')
    const options = ['-strict', '-output', 'json', '-kubernetes-version', version]
    const { code, output, errors } = await tryCommand(kubeconform, [
      ...options,
      ...places,
      directory,
    ])
    if (code === 0) return undefined
    return output.startsWith('{') ? problemsIn(output) : errors.trim()
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Returns a line for each problem that kubeconform reports as JSON. */
export function problemsIn(output: string): string {
  const { resources } = JSON.parse(output) as { resources: readonly Resource[] }
  const lines = resources.map(({ filename, kind, name, msg }) => {
    const start = Math.max(0, msg.indexOf('- at '))
    const problem = msg.slice(start).replaceAll(/\s+/g, ' ').trim()
    return `${basename(filename)}: ${kind}/${name}: ${problem}`
  })
  return lines.toSorted().join('\n')
}

interface Resource {
  readonly filename: string
  readonly kind: string
  readonly name: string
  readonly msg: string
}
