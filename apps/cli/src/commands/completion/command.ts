import { define } from '../../command/define.ts'
import { shells, type Completion, type Shell } from './shells.ts'

export const completion = define<object, [shell: Shell], Completion>({
  brief: 'Print a script that completes commands and names in your shell',
  description:
    'The script completes commands, options and, from the server, the names of agents and\n' +
    'accounts. It leaves out names that take longer than 300 ms; SLIPWAY_COMPLETION_TIMEOUT_MS\n' +
    'sets another limit.',
  examples: [
    ['source <(slipway completion bash)', 'for bash, in ~/.bashrc'],
    ['source <(slipway completion zsh)', 'for zsh, in ~/.zshrc after compinit'],
    ['slipway completion fish | source', 'for fish, in ~/.config/fish/config.fish'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: parseShell,
        placeholder: 'shell',
        brief: shells.join(', '),
        proposeCompletions: (partial) => shells.filter((shell) => shell.startsWith(partial)),
      },
    ],
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).completion,
})

function parseShell(text: string): Shell {
  const shell = shells.find((each) => each === text)
  if (shell === undefined) throw new Error(`"${text}" is not one of ${shells.join(', ')}`)
  return shell
}
