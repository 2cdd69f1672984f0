/**
 * The maximum size of a template as JSON. Each ingestion has every address and credential of the
 * agent, so a template can grow with the square of the file. Real templates have about 10 KB. A
 * template of the maximum size is made, and written as YAML, in a few milliseconds.
 */
export const MAX_TEMPLATE_BYTES = 256 * 1024

/** Thrown for a spec whose template is too large. The message is meant for users. */
export class TemplateTooLargeError extends Error {
  constructor() {
    super(
      `results in a deployment template of more than ${MAX_TEMPLATE_BYTES} bytes; ` +
        'use fewer or shorter names',
    )
    this.name = 'TemplateTooLargeError'
  }
}

/** Adds up the size of a template while it is built, to stop before it gets too large. */
export class TemplateSize {
  #bytes = 0

  /** Counts a part and returns it. Throws TemplateTooLargeError. */
  add<Part extends object>(part: Part): Part {
    this.#bytes += Buffer.byteLength(JSON.stringify(part))
    if (this.#bytes > MAX_TEMPLATE_BYTES) throw new TemplateTooLargeError()
    return part
  }
}
