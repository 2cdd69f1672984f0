/** The shells that there is a script for. */
export const shells = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof shells)[number]

/** The result of the command. */
export interface Completion {
  readonly shell: Shell
  readonly script: string
}
