/** What only a shell understands, which an image need not have. */
const NEEDS_SHELL = /[$`|&;<>()*?~\\'"]/
/** A function that a server calls for its application. It may have quotes, for shells. */
const FACTORY = /(?<=^|\s)(['"]?)([A-Za-z_][\w.]*:[A-Za-z_][\w.]*\(\))\1(?=\s|$)/g
/** The port in a command, as hosts with Procfiles have it. */
const PORT = /\$(?:PORT\b|\{PORT(?::-\d+)?\})/g

/**
 * Splits a command to its words. `$PORT` is the port of the spec. `source` names the command in the
 * error if it needs a shell.
 */
export function commandWords(text: string, source: string, port: number | undefined): string[] {
  const words = (port === undefined ? text : text.replaceAll(PORT, String(port))).replaceAll(
    FACTORY,
    '$2',
  )
  if (!NEEDS_SHELL.test(words.replaceAll(FACTORY, ''))) return words.trim().split(/\s+/)
  const remedy =
    port === undefined && text.search(PORT) >= 0
      ? 'write the port to astroai.yml, as agent.port, which $PORT stands for'
      : 'write it without variables and quotes, or start a file of the project that does the rest'
  throw new Error(`${source} needs a shell, which starts no agent: ${text}; ${remedy}`)
}
