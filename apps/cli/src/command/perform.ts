import { exitCodes } from '../errors/exit-code.ts'
import { cleanJson, hasControls } from '../output/clean.ts'
import { Cli } from './cli.ts'
import type { CommonFlags } from './flag-values.ts'
import type { Implementation } from './implementation.ts'
import type { ProcessContext } from './process-context.ts'
import { interruptionOr } from './interruption.ts'
import { reportFailure } from './report-failure.ts'

/** Runs a command, prints its result in the form that the flags ask for, and sets the exit code. */
export async function perform<Flags, Args extends readonly unknown[], Result>(
  context: ProcessContext,
  { run, view, json, exitCode, replaces }: Implementation<Flags, Args, Result>,
  flags: CommonFlags & Flags,
  args: Args,
): Promise<void> {
  let cli: Cli | undefined
  try {
    const ours = (cli = new Cli(context, flags))
    const { printer } = ours
    const isReplaced = printer.isTerminal && replaces?.(flags) === true
    const print = async (result: Result, isOneOfMany: boolean) => {
      if (printer.format === 'text') {
        const blocks = view(result, ours, flags)
        if (isReplaced) printer.replace(blocks)
        else printer.show(blocks)
      } else {
        const value = json === undefined ? result : json(result, flags)
        if (printer.format === 'yaml') await printYaml(ours, value)
        else {
          const text = JSON.stringify(value, undefined, isOneOfMany ? undefined : 2)
          printer.raw(`${cleanJson(text)}\n`)
        }
      }
      context.exit(exitCode?.(result, flags) ?? exitCodes.ok)
    }
    const running = run(ours, flags, ...args)
    if (isIterable(running)) {
      for await (const result of running) await print(result, true)
      // A stream ends without an error on Ctrl-C.
      if (context.signal.aborted) context.exit(exitCodes.interrupted)
    } else await print(await running, false)
  } catch (error) {
    context.exit(reportFailure(context, flags, interruptionOr(error, context, cli)))
  }
}

function isIterable<Result>(
  running: Promise<Result> | AsyncIterable<Result>,
): running is AsyncIterable<Result> {
  return Symbol.asyncIterator in running
}

async function printYaml({ printer }: Cli, result: unknown): Promise<void> {
  const { Document, visit } = await import('yaml')
  // Through JSON, so that both forms have the same members.
  const document = new Document(JSON.parse(JSON.stringify(result)))
  visit(document, {
    Scalar: (_key, node) => {
      // Only double quotes allow escapes.
      if (typeof node.value === 'string' && hasControls(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  printer.raw(cleanJson(`---\n${document.toString()}`))
}
