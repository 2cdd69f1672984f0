import { DEPLOY_LIMITS } from './limits.ts'

/** Thrown for variables that are too large when resolved. The message is meant for users. */
export class VariablesTooLargeError extends Error {
  constructor() {
    super(
      'the variables of all components, with their references resolved, must have at most ' +
        `${DEPLOY_LIMITS.resolvedBytes} bytes`,
    )
    this.name = 'VariablesTooLargeError'
  }
}

/**
 * Adds up the size of variables while they are resolved, to stop before they fill the memory: a
 * short value can refer to a long credential many times.
 */
export class ResolvedSize {
  #bytes = 0

  /** Counts a text. Throws VariablesTooLargeError. */
  add(text: string): void {
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > DEPLOY_LIMITS.resolvedBytes) throw new VariablesTooLargeError()
  }
}
