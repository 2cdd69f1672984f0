/** The text is not one YAML mapping that this platform reads. The message is fit for users. */
export class SpecSyntaxError extends Error {
  /** 1-based; absent when the problem has no single place. */
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(message: string, position?: { line: number; column: number }) {
    super(position ? `line ${position.line}, column ${position.column}: ${message}` : message)
    this.name = 'SpecSyntaxError'
    this.line = position?.line
    this.column = position?.column
  }
}
