import { version } from '../bundle.ts'
import { commonOptions, readmeTables, type CommandPage, type Entry } from './describe.ts'

/** The page `slipway.1`, with all commands. */
export function mainPage(commands: readonly CommandPage[]): string {
  const { variables, exitCodes } = readmeTables()
  return page('slipway', 'publish, deploy and watch AI agents', [
    section('SYNOPSIS', ['.B slipway', '.I COMMAND', '[\\fIOPTIONS\\fR]']),
    section(
      'COMMANDS',
      commands.map(({ name, brief }) => item(`slipway ${name}`, brief)),
    ),
    section('OPTIONS OF ALL COMMANDS', entries(commonOptions())),
    section('ENVIRONMENT', entries(variables)),
    section('EXIT STATUS', entries(exitCodes)),
    section('SEE ALSO', ['Each command has its own page, for example', '.BR slipway-login (1).']),
  ])
}

/** The page of a command, for example `slipway-context-list.1`. */
export function commandPage(command: CommandPage): string {
  const { name, brief, usage, paragraphs, args, options, examples, json, members } = command
  return page(pageName(name), brief, [
    section('SYNOPSIS', [`.B ${text(usage)}`]),
    section('DESCRIPTION', paragraphs.length === 0 ? [] : paragraphs.map(text)),
    section('ARGUMENTS', entries(args)),
    section('OPTIONS', entries(options)),
    section(
      'EXAMPLES',
      examples.map(([call, what]) => item(call, what)),
    ),
    section('JSON', [text(`--json prints ${json}.`), ...entries(members)]),
    section('SEE ALSO', ['.BR slipway (1)', 'has the options of all commands.']),
  ])
}

/** The name of the page of a command. */
export function pageName(name: string): string {
  return `slipway-${name.replaceAll(' ', '-')}`
}

function page(name: string, brief: string, sections: readonly string[]): string {
  const head = `.TH ${text(name.toUpperCase())} 1 "" "Slipway ${version()}" "Slipway"`
  const title = `.SH NAME\n${text(name)} \\- ${text(brief)}`
  return `${[head, title, ...sections.filter(Boolean)].join('\n')}\n`
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `.SH ${title}\n${lines.join('\n')}`
}

function entries(all: readonly Entry[]): string[] {
  return all.map(({ usage, text: what }) => item(usage, what))
}

function item(term: string, what: string): string {
  return `.TP\n.B ${text(term)}\n${text(what)}`
}

/** Text without what roff reads as a request, an escape or a dash. */
function text(given: string): string {
  const escaped = given
    .replaceAll('`', '')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '\\&...')
    .replaceAll('"', '\\(dq')
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
