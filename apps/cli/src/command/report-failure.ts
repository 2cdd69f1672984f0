import type { ExitCode } from '../errors/exit-code.ts'
import { clean, cleanJson, cleanLine } from '../output/clean.ts'
import { paint } from '../output/style.ts'
import { usesColor } from '../output/terminal.ts'
import type { CommonFlags } from './flag-values.ts'
import { explain } from './explain.ts'
import type { ProcessContext } from './process-context.ts'

/** Prints to standard error what failed, why, and what to do. Returns the exit code. */
export function reportFailure(
  { process }: ProcessContext,
  flags: Pick<CommonFlags, 'json' | 'output' | 'quiet' | 'verbose'>,
  error: unknown,
): ExitCode {
  const { stderr, env } = process
  const failure = explain(error)
  const { message, code, why, next, requestId, exitCode, raw } = failure
  if (raw !== undefined) {
    stderr.write(`${clean(JSON.stringify(raw, undefined, 2))}\n`)
    return exitCode
  }
  if (flags.json || flags.output === 'json') {
    const details = { code, message, why, next, request_id: requestId }
    stderr.write(`${cleanJson(JSON.stringify({ error: details }))}\n`)
    return exitCode
  }
  if (failure.isAnswer) {
    if (!flags.quiet) stderr.write(`${clean(message)}\n`)
    return exitCode
  }
  const color = usesColor(stderr, env)
  const title = (text: string) => (color ? paint('bad', text) : text)
  const faint = (text: string) => (color ? paint('faint', text) : text)
  const parts = [
    `${title('error:')} ${indent(message)}`,
    why && `${faint('why:')}   ${indent(why)}`,
    !flags.quiet && next && `${faint('next:')}  ${indent(next)}`,
    requestId && `${faint('request id:')} ${cleanLine(requestId)}`,
    flags.verbose && code === 'internal' && error instanceof Error && clean(error.stack ?? ''),
  ]
  stderr.write(`${parts.filter(Boolean).join('\n')}\n`)
  return exitCode
}

/** Continuation lines are aligned with the first. */
function indent(text: string): string {
  return clean(text).replaceAll('\n', '\n       ')
}
