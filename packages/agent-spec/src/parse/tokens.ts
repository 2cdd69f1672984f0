import { Lexer, Parser, type CST, type LineCounter } from 'yaml'

import { SpecSyntaxError } from '../spec-syntax-error.ts'
import { LIMITS } from './limits.ts'

/**
 * Parses the text to YAML's concrete syntax trees. Throws SpecSyntaxError before hostile input
 * becomes expensive. Depth is bounded here, by the parser's stack, because the composer is
 * recursive.
 */
export function readTokens(text: string, lines: LineCounter): CST.Token[] {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  let lexemes = 0
  let structure = 0
  function fail(message: string): never {
    throw new SpecSyntaxError(message, position(parser.offset, lines))
  }
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > LIMITS.lexemes) fail(`the file has more than ${LIMITS.lexemes} tokens`)
    if (!isLayout(lexeme) && ++structure > LIMITS.structure)
      fail(`the file has more than ${LIMITS.structure} keys, values and indicators`)
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > LIMITS.depth)
      fail(`nested too deeply (at most ${LIMITS.depth} levels)`)
  }
  for (const token of parser.end()) tokens.push(token)
  return tokens
}

/** Returns the 1-based line and column of an offset. */
export function position(offset: number, lines: LineCounter): { line: number; column: number } {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

function isLayout(lexeme: string): boolean {
  const first = lexeme.charCodeAt(0)
  // space, tab, line breaks, comment
  return first === 0x20 || first === 0x09 || first === 0x0a || first === 0x0d || first === 0x23
}
