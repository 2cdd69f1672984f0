import type { Printer } from './printer.ts'

/** Prints a line below the `^C` of a terminal. */
export function sayBelow(printer: Printer, line: string): void {
  printer.error(printer.hasLiveProgress ? `\n${line}` : line, 'warning')
}
