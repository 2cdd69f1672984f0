/**
 * The largest template as JSON. A pipeline has every address and credential of its agent, so a
 * template can grow with the square of the file; real ones have some ten thousand bytes. So many
 * can be written as YAML in well under 100 ms.
 */
export const MAX_TEMPLATE_BYTES = 512 * 1024

/** A spec stands for more than a template may hold. The message is fit for users. */
export class TemplateTooLargeError extends Error {
  constructor() {
    super(
      `makes a deployment template of more than ${MAX_TEMPLATE_BYTES} bytes: it has too many or too long names`,
    )
    this.name = 'TemplateTooLargeError'
  }
}

/** Adds up what a template is made of, while it is made: none is made whole that is too large. */
export class TemplateSize {
  #bytes = 0

  /** Passes a part on. Throws TemplateTooLargeError when it is one too many. */
  add<Part extends object>(part: Part): Part {
    this.#bytes += Buffer.byteLength(JSON.stringify(part))
    if (this.#bytes > MAX_TEMPLATE_BYTES) throw new TemplateTooLargeError()
    return part
  }
}
