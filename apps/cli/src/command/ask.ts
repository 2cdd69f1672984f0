import type * as Prompts from '@clack/prompts'

import { CliError, usageError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-code.ts'
import { cleanLine } from '../output/clean.ts'
import type { Cli } from './cli.ts'

/** Asks a yes-or-no question. Needs a terminal. */
export async function confirm(cli: Cli, question: string): Promise<boolean> {
  const prompts = await import('@clack/prompts')
  return answered(
    prompts,
    await prompts.confirm({ message: cleanLine(question), initialValue: false, ...streams(cli) }),
  )
}

/** Asks for a secret, which is not shown. Without a terminal, it is an error that says how else. */
export async function askSecret(cli: Cli, name: string, how: string): Promise<string> {
  if (!cli.isInteractive) throw usageError(`${name} is missing`, how)
  const prompts = await import('@clack/prompts')
  return answered(prompts, await prompts.password({ message: cleanLine(name), ...streams(cli) }))
}

/** Asks for one of these values. */
export async function choose<Value extends string>(
  cli: Cli,
  question: string,
  options: readonly { readonly value: Value; readonly label: string }[],
): Promise<Value> {
  const prompts = await import('@clack/prompts')
  const choice = await prompts.select<string>({
    message: cleanLine(question),
    options: options.map(({ value, label }) => ({ value, label: cleanLine(label) })),
    ...streams(cli),
  })
  return answered(prompts, choice) as Value
}

/** Questions appear on standard error: standard output is for results. */
function streams(cli: Cli) {
  return {
    input: cli.stdin as never,
    output: cli.stderr as never,
    signal: cli.signal,
  }
}

function answered<Value>({ isCancel }: typeof Prompts, answer: Value): Exclude<Value, symbol> {
  if (isCancel(answer))
    throw new CliError('cancelled', {
      code: 'cancelled',
      isAnswer: true,
      exitCode: exitCodes.interrupted,
    })
  return answer as Exclude<Value, symbol>
}
