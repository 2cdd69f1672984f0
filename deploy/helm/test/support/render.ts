import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { program } from '../../src/chart.ts'
import { parseAllDocuments } from 'yaml'

import type { ChartObject } from './objects.ts'

const CHECKOUT = resolve(import.meta.dirname, '../../../..')
const CHART = join(CHECKOUT, 'deploy/helm/slipway')

const FILES = globSync('{examples,ci}/*.yaml', { cwd: CHART }).toSorted()

/** The names of the examples, without `.yaml`. */
export const EXAMPLES = FILES.filter((file) => file.startsWith('examples/')).map(nameOf)

/** The names of the examples and of the values that are only for checks. */
export const SHAPES = FILES.map(nameOf)

/** The release's name and namespace unless a test names others. */
export const RELEASE = { name: 'acme', namespace: 'platform' }

/** Returns the path of the values with a name. */
export function example(name: string): string {
  const file = FILES.find((each) => nameOf(each) === name)
  if (file === undefined) throw new Error(`the chart has no values ${name}`)
  return join(CHART, file)
}

function nameOf(file: string): string {
  return basename(file, '.yaml')
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
