import { PassThrough } from 'node:stream'

import { Cli } from '../../command/cli.ts'
import { commonFlags } from '../../command/common-flags.ts'
import type { Block } from '../../output/blocks.ts'
import { allCommands } from '../all-commands.ts'

/** Results that differ from what `--json` prints. */
const TYPED: Readonly<Record<string, (value: never) => unknown>> = {
  status: (value: { components?: unknown }) =>
    value.components === undefined
      ? { kind: 'all', list: value, changed: [], names: undefined }
      : { kind: 'one', deployment: value, revision: undefined, names: new Map(), changes: [] },
}

/**
 * What a terminal with `columns` columns shows of the results that `--json` has printed, or what a
 * pipe has without columns.
 */
export async function shownResult(
  command: string,
  results: readonly unknown[],
  columns: number | undefined,
): Promise<string> {
  const found = allCommands().find(({ name }) => name === command)
  if (found === undefined) throw new Error(`there is no command ${command}`)
  const { view } = await found.definition.load()
  const written: string[] = []
  const output = {
    isTTY: columns !== undefined,
    ...(columns !== undefined && { columns }),
    write: (part: string) => written.push(part),
  }
  const context = {
    process: { stdin: new PassThrough(), stdout: output, stderr: output, env: { NO_COLOR: '1' } },
    signal: new AbortController().signal,
    exit() {},
  }
  const flags = { ...defaults(commonFlags), ...defaults(found.definition.flags ?? {}) }
  const cli = new Cli(context, flags as never)
  for (const result of results) {
    const typed = TYPED[command]?.(result as never) ?? result
    cli.printer.show(view(typed, cli, flags) as readonly Block[])
  }
  return written.join('')
}

/** The values of options that are not given. */
function defaults(flags: object): Readonly<Record<string, unknown>> {
  const all = Object.entries(flags as Readonly<Record<string, { readonly default?: unknown }>>)
  return Object.fromEntries(all.map(([name, flag]) => [name, flag.default]))
}
