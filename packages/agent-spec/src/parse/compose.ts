import {
  Composer,
  type CST,
  type Document,
  type LineCounter,
  type ParsedNode,
  type YAMLError,
} from 'yaml'

import { SpecSyntaxError } from '../spec-syntax-error.ts'
import { position } from './tokens.ts'

// Keys stay as written: `8080:` is the key "8080". to-json.ts finds duplicate keys, because the
// library would compare each key with all others.
const options = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  strict: true,
  prettyErrors: false,
} as const

/** Composes exactly one document from tokens. Throws SpecSyntaxError. */
export function composeDocument(
  tokens: CST.Token[],
  length: number,
  lines: LineCounter,
): Document<ParsedNode> {
  const documents = withoutStackTraces(() => {
    const composer = new Composer<ParsedNode>(options)
    return [...composer.compose(tokens, true, length)]
  })
  const [document, second] = documents
  if (!document) throw new SpecSyntaxError('the file is empty')
  const [error] = document.errors
  if (error) throw new SpecSyntaxError(messageOf(error), position(error.pos[0], lines))
  if (second)
    throw new SpecSyntaxError('the file contains more than one YAML document', at(second, lines))
  if (document.directives?.yaml.version !== '1.2')
    throw new SpecSyntaxError('only YAML 1.2 is supported')
  const [warning] = document.warnings
  if (warning) throw new SpecSyntaxError(messageOf(warning), position(warning.pos[0], lines))
  return document as Document<ParsedNode>
}

function at(document: Document.Parsed, lines: LineCounter): { line: number; column: number } {
  return position(document.range[0], lines)
}

// A hostile file can cause thousands of errors; capturing their stacks would be most of the cost.
function withoutStackTraces<T>(work: () => T): T {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = limit
  }
}

function messageOf({ code, message }: YAMLError): string {
  if (code === 'NON_STRING_KEY') return 'keys must be strings'
  const [line = message] = message.split('\n', 1)
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
