import { buildApplication, text_en, type Application } from '@stricli/core'

import type { ProcessContext } from '../command/process-context.ts'
import { currentVersion } from '../config/version.ts'
import { cleanJson } from '../output/clean.ts'
import { calledCommand } from './called-command.ts'
import { routes } from './routes.ts'
import { didYouMean, usageWords } from './usage-words.ts'

/** More than this many wrong letters are not a typo. */
const MAX_TYPO = 2

/** The command line for a call: all its commands, and how their names and options are written. */
export function applicationFor(args: readonly string[]): Application<ProcessContext> {
  const help = `slipway ${[...calledCommand(args), '--help'].join(' ')}`
  const failure = wantsJson(args) ? asJson : asText
  return buildApplication<ProcessContext>(routes, {
    name: 'slipway',
    versionInfo: { getCurrentVersion: currentVersion },
    scanner: {
      caseStyle: 'allow-kebab-for-camel',
      allowArgumentEscapeSequence: true,
      distanceOptions: {
        threshold: MAX_TYPO,
        weights: { insertion: 1, deletion: 1, substitution: 1, transposition: 1 },
      },
    },
    documentation: { caseStyle: 'convert-camel-to-kebab', onlyRequiredInUsageLine: true },
    localization: {
      text: {
        ...text_en,
        exceptionWhileParsingArguments: (error) => failure(usageWords(error), help),
        noCommandRegisteredForInput: ({ input, corrections }) => {
          const names = corrections.map((name) => name.replaceAll('`', ''))
          return failure(`there is no command "${input}"${didYouMean(names)}`, help)
        },
      },
    },
  })
}

function asText(message: string, next: string): string {
  return `error: ${message}\nnext:  ${next}`
}

/** As `reportFailure` writes it. */
function asJson(message: string, next: string): string {
  return cleanJson(JSON.stringify({ error: { code: 'usage', message, next } }))
}

/** Whether a call that isn't understood asks for JSON. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const options = end === -1 ? args : args.slice(0, end)
  return /(?:^| )(?:--json|(?:-o|--output)[ =]json)(?: |$)/.test(options.join(' '))
}
