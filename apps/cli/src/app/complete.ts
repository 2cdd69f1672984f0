import { proposeCompletions, type RouteMap } from '@stricli/core'

import type { ProcessContext } from '../command/process-context.ts'
import { applicationFor } from './application.ts'
import { routes } from './routes.ts'

/**
 * Proposes completions of the last word, a line each: the word, a tab, and what it means. The
 * scripts of `slipway completion` read them. Never fails: a shell would show the error in a prompt.
 */
export async function complete(words: readonly string[], context: ProcessContext): Promise<string> {
  try {
    const env = { ...context.process.env, ...chosenByWords(words) }
    const ours = { ...context, process: { ...context.process, env } }
    const { asked, before } = withoutEqualSign(words)
    const proposed = await proposeCompletions(applicationFor([]), asked, {
      ...ours,
      forCommand: () => ours,
    } as never)
    const partial = words.at(-1) ?? ''
    return [...groupCommands(words), ...proposed]
      .filter(({ completion }) => !completion.startsWith('-') || partial.startsWith('-'))
      .filter(({ completion }) => completion !== '--')
      .map(({ completion, brief }) => `${before}${completion}\t${firstLine(brief)}\n`)
      .join('')
  } catch {
    return ''
  }
}

/** Stricli completes the value of an option as its own word: `--output js`, not `--output=js`. */
function withoutEqualSign(words: readonly string[]): { asked: readonly string[]; before: string } {
  const [, option, value = ''] = /^(--[\w-]+)=(.*)$/.exec(words.at(-1) ?? '') ?? []
  if (option === undefined) return { asked: words, before: '' }
  return { asked: [...words.slice(0, -1), option, value], before: `${option}=` }
}

/** The commands of a group with a default command, for which Stricli proposes only arguments. */
function groupCommands(words: readonly string[]): { completion: string; brief: string }[] {
  const partial = words.at(-1) ?? ''
  let group: RouteMap<ProcessContext> = routes
  for (const word of words.slice(0, -1)) {
    const target = group.getRoutingTargetForInput(word)
    if (target === undefined || !('getAllEntries' in target)) return []
    group = target
  }
  if (group.getDefaultCommand() === undefined) return []
  return group
    .getAllEntries()
    .map(({ name, target }) => ({
      completion: name['convert-camel-to-kebab'],
      brief: target.brief,
    }))
    .filter(({ completion }) => completion.startsWith(partial))
}

/** The names that are proposed are those of the context and account that the words choose. */
function chosenByWords(words: readonly string[]): NodeJS.ProcessEnv {
  const context = valueOf('--context', words)
  const account = valueOf('--account', words)
  return {
    ...(context !== undefined && { SLIPWAY_CONTEXT: context, SLIPWAY_URL: undefined }),
    ...(account !== undefined && { SLIPWAY_ACCOUNT: account }),
  }
}

function valueOf(option: string, words: readonly string[]): string | undefined {
  // The last word is still being written.
  const done = words.slice(0, -1)
  const at = done.lastIndexOf(option)
  if (at !== -1) return done[at + 1]
  return done.findLast((word) => word.startsWith(`${option}=`))?.slice(option.length + 1)
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replaceAll('\t', ' ') ?? ''
}
