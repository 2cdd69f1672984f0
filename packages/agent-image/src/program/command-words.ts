/** What only a shell understands, which an image need not have. */
const NEEDS_SHELL = /[$`|&;<>()*?~\\'"]/
/** The port in a command, as hosts with Procfiles have it. */
const PORT = /\$(?:PORT\b|\{PORT(?::-\d+)?\})/g

/**
 * Splits a command to its words. `$PORT` is the port of the spec. `source` names the command in the
 * error if it needs a shell.
 */
export function commandWords(text: string, source: string, port: number | undefined): string[] {
  const words = port === undefined ? text : text.replaceAll(PORT, String(port))
  if (!NEEDS_SHELL.test(words)) return words.trim().split(/\s+/)
  const remedy =
    port === undefined && text.search(PORT) >= 0
      ? 'write the port to astroai.yml, as agent.port, which $PORT stands for'
      : 'write it without variables and quotes, or start a file of the project that does the rest'
  throw new Error(`${source} needs a shell, which starts no agent: ${text}; ${remedy}`)
}
