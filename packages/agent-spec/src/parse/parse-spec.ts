import { LineCounter, type Document, type ParsedNode } from 'yaml'

import { isObject, type JsonObject } from '../json.ts'
import { readSpec } from '../read/read-spec.ts'
import { SpecSyntaxError } from '../spec-syntax-error.ts'
import type { AgentSpec } from '../spec-types.ts'
import { composeDocument } from './compose.ts'
import { LIMITS } from './limits.ts'
import { toJson } from './to-json.ts'
import { position, readTokens } from './tokens.ts'

/** A parsed spec file. */
export interface ParsedSpec {
  /** The whole file as plain JSON. */
  readonly document: JsonObject
  /** The typed view: with defaults, without values of the wrong type. */
  readonly spec: AgentSpec
}

// All characters that are not printable according to YAML 1.2.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/

/**
 * Parses the text of an `astroai.yml`. Throws SpecSyntaxError unless it is a single YAML 1.2
 * mapping within LIMITS.
 */
export function parseSpec(yamlText: string): ParsedSpec {
  return parsedTree(parseTree(yamlText))
}

/** Returns what the nodes of a spec file say. Throws SpecSyntaxError. */
export function parsedTree(tree: SpecTree): ParsedSpec {
  const document = documentOf(tree)
  return { document, spec: readSpec(document) }
}

/** A spec file with the places of its keys and values. */
export interface SpecTree {
  readonly document: Document<ParsedNode>
  readonly lines: LineCounter
}

/** Parses the text to nodes, which parsedTree turns to values. Throws SpecSyntaxError. */
export function parseTree(text: string): SpecTree {
  if (text.length > LIMITS.textLength)
    throw new SpecSyntaxError(`the file has more than ${LIMITS.textLength} characters`)
  if (countLines(text, LIMITS.lines + 1) > LIMITS.lines)
    throw new SpecSyntaxError(`the file has more than ${LIMITS.lines} lines`)
  const lines = new LineCounter()
  const control = text.search(UNPRINTABLE)
  if (control >= 0) {
    const code = text.charCodeAt(control).toString(16).toUpperCase().padStart(4, '0')
    throw new SpecSyntaxError(
      `the character U+${code} is not allowed in YAML`,
      countPosition(text, control),
    )
  }
  if (!text.isWellFormed()) throw new SpecSyntaxError('the file is not valid Unicode text')
  const tokens = readTokens(text, lines)
  return { document: composeDocument(tokens, text.length, lines), lines }
}

function documentOf({ document, lines }: SpecTree): JsonObject {
  const value = toJson(document, lines)
  if (!isObject(value)) {
    const found = value === null ? 'empty' : Array.isArray(value) ? 'a list' : 'a single value'
    throw new SpecSyntaxError(
      `the file must be a YAML mapping, but it is ${found}`,
      position(0, lines),
    )
  }
  return value
}

/** Counts up to `enough` lines; CR, LF and both together end one. */
function countLines(text: string, enough: number): number {
  const lineBreak = /\r\n?|\n/g
  let lines = 1
  while (lines < enough && lineBreak.test(text)) lines += 1
  return lines
}

function countPosition(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}
