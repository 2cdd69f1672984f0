import type { AuthoredFile } from './authored-files.ts'

const MAX_COLUMNS = 100
const MARKDOWN_TABLE = /^\s*\|/
// A URL can't be wrapped, so a line that contains only a URL may be longer.
const ONLY_A_URL = /^\s*(\/\/|\*|#|--|-)?\s*\S*https?:\/\/\S+$/

// The formatter never breaks an import of a single name.
const ONE_NAME_IMPORT = /^import (type )?\{ [\w ]+ \} from '\S+'$/

/**
 * Reports lines of more than 100 columns. Data (JSON), Markdown tables, URLs and imports of a
 * single name may be longer.
 */
export function lineLength({ path, lines }: AuthoredFile): string[] {
  if (path.endsWith('.json')) return []
  return lines.flatMap((line, index) => {
    const columns = line.length
    if (columns <= MAX_COLUMNS || ONLY_A_URL.test(line) || ONE_NAME_IMPORT.test(line)) return []
    if (path.endsWith('.md') && MARKDOWN_TABLE.test(line)) return []
    return [`${path}:${index + 1}: the line has ${columns} columns, more than ${MAX_COLUMNS}`]
  })
}
