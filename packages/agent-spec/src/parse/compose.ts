import { Composer, type CST, type Document, type LineCounter, type ParsedNode } from 'yaml'

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
  const composer = new Composer<ParsedNode>(options)
  let first: SpecSyntaxError | undefined
  // A hostile file can cause 100,000 errors, and the library would make an object for each.
  const onError = (source: ErrorSource, code: string, message: string): void => {
    first ??= new SpecSyntaxError(messageOf(code, message), position(offsetOf(source), lines))
  }
  Object.assign(composer, { onError })
  const [document, second] = [...composer.compose(tokens, true, length)]
  if (first !== undefined) throw first
  if (!document) throw new SpecSyntaxError('the file is empty')
  if (second)
    throw new SpecSyntaxError('the file contains more than one YAML document', at(second, lines))
  if (document.directives?.yaml.version !== '1.2')
    throw new SpecSyntaxError('only YAML 1.2 is supported')
  return document as Document<ParsedNode>
}

/** Where the library found an error. */
type ErrorSource = number | readonly [number, ...unknown[]] | { readonly offset: number }

function offsetOf(source: ErrorSource): number {
  if (typeof source === 'number') return source
  return 'offset' in source ? source.offset : source[0]
}

function at(document: Document.Parsed, lines: LineCounter): { line: number; column: number } {
  return position(document.range[0], lines)
}

function messageOf(code: string, message: string): string {
  if (code === 'NON_STRING_KEY') return 'keys must be strings'
  const [line = message] = message.split('\n', 1)
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
