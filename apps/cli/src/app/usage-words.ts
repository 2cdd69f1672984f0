import { ArgumentScannerError, formatMessageForArgumentScannerError } from '@stricli/core'

/** Says what is wrong with the arguments of a call. */
export function usageWords(error: unknown): string {
  if (!(error instanceof ArgumentScannerError))
    return error instanceof Error ? error.message : String(error)
  return formatMessageForArgumentScannerError(error, {
    FlagNotFoundError: ({ input, corrections }) =>
      `there is no option --${input}${didYouMean(corrections.map((name) => `--${name}`))}`,
    AliasNotFoundError: ({ input }) => `there is no option -${input}`,
    UnsatisfiedFlagError: ({ externalFlagName }) => `--${externalFlagName} needs a value`,
    UnexpectedFlagError: ({ externalFlagName }) => `--${externalFlagName} is given twice`,
    EnumValidationError: ({ externalFlagName, input, values }) =>
      `--${externalFlagName} must be ${values.join(' or ')}, not "${input}"`,
    InvalidNegatedFlagSyntaxError: ({ externalFlagName }) => `--${externalFlagName} takes no value`,
    UnexpectedPositionalError: ({ input }) => `"${input}" is one argument too many`,
    UnsatisfiedPositionalError: ({ placeholder }) => `the argument ${placeholder} is missing`,
    // The messages of the parsers in command/values say which text they mean.
    ArgumentParseError: ({ externalFlagNameOrPlaceholder, exception }) => {
      const message = exception instanceof Error ? exception.message : String(exception)
      return `${externalFlagNameOrPlaceholder}: ${message}`
    },
  })
}

/** Proposals for a name that doesn't exist; empty if there are none. */
export function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`
}
