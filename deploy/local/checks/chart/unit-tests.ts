import { CHART, program } from './chart.ts'
import { runTool } from '../run-tool.ts'

/** Runs the chart's unit tests: what its templates render with which values. */
export async function chartUnitTests(checkout: string): Promise<string | undefined> {
  return await runTool(checkout, await program(checkout, 'helm-unittest'), ['--strict', CHART])
}
