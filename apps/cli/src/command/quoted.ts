/** A word as a shell reads it: in quotes if it needs them. */
export function quoted(word: string): string {
  return /^[\w./@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The command that goes to a folder, by its path. */
export function enterCommand(folder: string): string {
  return `cd ${quoted(folder.startsWith('-') ? `./${folder}` : folder)}`
}
