import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { program } from '@slipway/local/chart'
import { parseAllDocuments } from 'yaml'

import type { ChartObject } from './objects.ts'

const CHECKOUT = resolve(import.meta.dirname, '../../../..')
const CHART = join(CHECKOUT, 'deploy/helm/slipway')

/** The names of the examples, without `.yaml`. */
export const EXAMPLES = readdirSync(join(CHART, 'examples')).map((file) => file.slice(0, -5))

/** The release's name and namespace unless a test names others. */
export const RELEASE = { name: 'acme', namespace: 'platform' }

/** Returns the values file of an example. */
export function example(name: string): string {
  return join(CHART, 'examples', `${name}.yaml`)
}

/** Returns what `helm template` prints for values files and `--set` arguments. */
export async function renderText(
  values: readonly string[],
  sets: readonly string[] = [],
  release = RELEASE,
): Promise<string> {
  const helm = await program(CHECKOUT, 'helm')
  const given = [
    ...values.flatMap((file) => ['--values', file]),
    ...sets.flatMap((set) => ['--set', set]),
  ]
  const args = ['template', release.name, CHART, '--namespace', release.namespace]
  const options = { maxBuffer: 16 * 1024 * 1024 }
  const cluster = ['--kube-version', '1.34.0']
  const { stdout } = await promisify(execFile)(helm, [...args, ...cluster, ...given], options)
  return stdout
}

/** Returns the objects that the chart makes of values files and `--set` arguments. */
export async function render(
  ...args: Parameters<typeof renderText>
): Promise<readonly ChartObject[]> {
  return objectsIn(await renderText(...args))
}

/** Returns the objects of a text in YAML, as Helm reads it: by the rules of YAML 1.1. */
export function objectsIn(text: string): readonly ChartObject[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as ChartObject | null)
    .filter((object) => object !== null)
}
