import { globSync } from 'node:fs'
import { CHART, program } from '@slipway/helm/chart'
import { runTool } from '../run-tool.ts'

/** Checks the chart's alarms, and runs their tests: which series raise which alarm. */
export async function chartAlarms(checkout: string): Promise<string | undefined> {
  const promtool = await program(checkout, 'promtool')
  const rules = ['check', 'rules', '--lint=all', '--lint-fatal', `${CHART}/files/alarms.yaml`]
  const problem = await runTool(checkout, promtool, rules)
  if (problem !== undefined) return problem
  const tests = globSync(`${CHART}/files/*.test.yaml`, { cwd: checkout }).toSorted()
  if (tests.length === 0) return `${CHART}/files has no tests of alarms (*.test.yaml)`
  return await runTool(checkout, promtool, ['test', 'rules', ...tests])
}
