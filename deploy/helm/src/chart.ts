import { globSync } from 'node:fs'
import { join } from 'node:path'
import { buildTool } from '@slipway/local/install/toolchain'
import type { Tool } from '@slipway/local/install/tools'
import { tryCommand } from '@slipway/local/process/run-command'
import { partReport } from '@slipway/local/progress'
import { stackDirectories } from '@slipway/local/stack/stack'
import type { StackDirectories } from '@slipway/local/stack/stack'

/** The chart, as a path in the checkout. */
export const CHART = 'deploy/helm/slipway'

/** The values that the chart is checked with: the examples, and the shapes that only tests use. */
export function valuesFiles(checkout: string): string[] {
  const files = globSync(`${CHART}/{examples,ci}/*.yaml`, { cwd: checkout }).toSorted()
  if (files.length === 0) throw new Error(`${CHART}/examples has no values`)
  return files
}

/** Where built programs are, for a check of this checkout. */
export function placeOf(checkout: string): StackDirectories {
  return { ...stackDirectories(), checkout }
}

/** Reports what a check builds or downloads in its first run. */
export const firstRunReport = partReport()

/** Returns the path of a program; builds it in the first run. */
export async function program(checkout: string, tool: Tool): Promise<string> {
  const report = (line: string) => firstRunReport.log(tool, line)
  return join(await buildTool(placeOf(checkout), tool, report), tool)
}

/** What `helm template` prints, or why it failed. */
export type Rendering = { readonly text: string } | { readonly problem: string }

/** Renders the chart with one of the values, as for a cluster of a Kubernetes version. */
export async function render(
  helm: string,
  checkout: string,
  values: string,
  kubernetesVersion: string,
  namespace = 'slipway',
): Promise<Rendering> {
  const args = ['template', 'slipway', join(checkout, CHART), '--namespace', namespace]
  const cluster = ['--kube-version', kubernetesVersion]
  const given = ['--values', join(checkout, values)]
  const { code, output, errors } = await tryCommand(helm, [...args, ...cluster, ...given])
  return code === 0 ? { text: output } : { problem: errors.trim() }
}
