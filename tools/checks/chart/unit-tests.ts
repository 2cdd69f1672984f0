import { globSync } from 'node:fs'
import { runTool } from '../run-tool.ts'
import { CHART, program } from '@slipway/helm/chart'

/** Runs the chart's unit tests: what its templates render with which values. */
export async function chartUnitTests(checkout: string): Promise<string | undefined> {
  const tests = globSync(`${CHART}/tests/*_test.yaml`, { cwd: checkout })
  if (tests.length === 0) return `${CHART}/tests has no tests (*_test.yaml)`
  return await runTool(checkout, await program(checkout, 'helm-unittest'), ['--strict', CHART])
}
