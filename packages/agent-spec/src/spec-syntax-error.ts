/** Thrown for text that is not a valid spec file. The message is meant for users. */
export class SpecSyntaxError extends Error {
  /** 1-based; undefined if the problem has no position. */
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(message: string, position?: { line: number; column: number }) {
    super(position ? `line ${position.line}, column ${position.column}: ${message}` : message)
    this.name = 'SpecSyntaxError'
    this.line = position?.line
    this.column = position?.column
  }
}
