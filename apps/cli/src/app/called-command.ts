import { routes } from './routes.ts'

/** The names at the beginning of the arguments that lead to a command or to a group. */
export function calledCommand(args: readonly string[]): string[] {
  const names: string[] = []
  let target: ReturnType<typeof routes.getRoutingTargetForInput> = routes
  for (const name of args) {
    if (target === undefined || !('getRoutingTargetForInput' in target)) break
    target = target.getRoutingTargetForInput(routeOf(name))
    if (target !== undefined) names.push(name)
  }
  return names
}

// The routes are written in camel case.
function routeOf(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** `slipway help COMMAND` is `slipway COMMAND --help`, and `slipway version` is `--version`. */
export function withoutHelpWords(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args
  if (first === 'help') return [...rest, '--help']
  return first === 'version' && rest.length === 0 ? ['--version'] : args
}
