import type { Command, RouteMap } from '@stricli/core'

import { definitions, type Definition } from '../command/define.ts'
import type { ProcessContext } from '../command/process-context.ts'
import { routes } from './routes.ts'

/** A command with its name, for example `context list`. */
export interface NamedCommand {
  readonly name: string
  readonly definition: Definition<object, readonly unknown[], unknown>
  readonly command: Command<ProcessContext>
}

/** All commands, in the order of `slipway --help`. */
export function allCommands(): readonly NamedCommand[] {
  return commandsIn(routes, '')
}

function commandsIn(group: RouteMap<ProcessContext>, prefix: string): NamedCommand[] {
  return group
    .getAllEntries()
    .filter(({ hidden }) => !hidden)
    .flatMap(({ name, target }) => {
      const full = `${prefix}${name['convert-camel-to-kebab']}`
      if ('getAllEntries' in target) return commandsIn(target, `${full} `)
      const definition = definitions.get(target)
      return definition === undefined ? [] : [{ name: full, definition, command: target }]
    })
}
