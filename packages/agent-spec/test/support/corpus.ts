import { readdirSync, readFileSync } from 'node:fs'

/** A file of the corpus with the expectations in its comments. */
export interface CorpusFile {
  readonly name: string
  readonly text: string
  /** `# expect: field: message` for each warning, in order. */
  readonly warnings: string[]
  /** `# error: part of the message`. */
  readonly error: string | undefined
  /** Whether the JSON Schema accepts it. `# schema accepts` marks invalid files that it accepts. */
  readonly schemaAccepts: boolean
}

/** Reads the files of a folder of the corpus. */
export function readCorpus(folder: 'valid' | 'invalid' | 'refused'): CorpusFile[] {
  const directory = new URL(`../corpus/${folder}/`, import.meta.url)
  return readdirSync(directory).map((name) => {
    const text = readFileSync(new URL(name, directory), 'utf8')
    const warnings = [...text.matchAll(/^# expect: (.*)$/gm)].map(([, warning = '']) => warning)
    const error = /^# error: (.*)$/m.exec(text)?.[1]
    return {
      name,
      text,
      warnings,
      error,
      schemaAccepts: folder === 'valid' || text.includes('# schema accepts'),
    }
  })
}
