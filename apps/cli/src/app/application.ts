import { buildApplication, text_en, type Application } from '@stricli/core'

import type { ProcessContext } from '../command/process-context.ts'
import { currentVersion } from '../config/version.ts'
import { calledCommand } from './called-command.ts'
import { routes } from './routes.ts'
import { didYouMean, usageWords } from './usage-words.ts'

/** More than this many wrong letters are not a typo. */
const MAX_TYPO = 2

/** The command line for a call: all its commands, and how their names and options are written. */
export function applicationFor(args: readonly string[]): Application<ProcessContext> {
  const help = `slipway ${[...calledCommand(args), '--help'].join(' ')}`
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
        exceptionWhileParsingArguments: (error) => withNext(usageWords(error), help),
        noCommandRegisteredForInput: ({ input, corrections }) => {
          const names = corrections.map((name) => name.replaceAll('`', ''))
          return withNext(`there is no command "${input}"${didYouMean(names)}`, help)
        },
      },
    },
  })
}

function withNext(message: string, next: string): string {
  return `error: ${message}\nnext:  ${next}`
}
