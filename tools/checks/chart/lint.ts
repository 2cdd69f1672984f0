import { join } from 'node:path'
import { tryCommand } from '@slipway/local/process/run-command'
import { CHART, program, valuesFiles } from '@slipway/helm/chart'

/** Reports what `helm lint --strict` finds with each of the values. */
export async function chartLint(checkout: string): Promise<string | undefined> {
  const helm = await program(checkout, 'helm')
  const problems: string[] = []
  for (const values of valuesFiles(checkout)) {
    const given = ['--values', join(checkout, values)]
    const { code, output } = await tryCommand(helm, [
      'lint',
      '--strict',
      '--quiet',
      join(checkout, CHART),
      ...given,
    ])
    if (code !== 0) problems.push(`${values}: ${output.trim()}`)
  }
  return problems.length === 0 ? undefined : problems.join('\n')
}
