import { ofReason } from '../connection-error.ts'

/** How to read a body. */
export interface ReadTextOptions {
  /** Origin of the server, for errors. */
  readonly origin: string
  /** How long it may be silent until it counts as cut. */
  readonly silenceMs: number
  readonly onProgress: () => void
}

/** Yields the text of a body as it arrives. Throws if the body ends early or is silent too long. */
export async function* readText(
  body: ReadableStream<Uint8Array> | null,
  { origin, silenceMs, onProgress }: ReadTextOptions,
): AsyncGenerator<string, void> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await withinMs(silenceMs, reader.read(), () =>
        ofReason('timeout', origin),
      )
      onProgress()
      const text = decoder.decode(value, { stream: !done })
      if (text !== '') yield text
      if (done) return
    }
  } finally {
    // Ends the connection if the body was not read to its end.
    reader.cancel().catch(() => {})
  }
}

async function withinMs<Value>(
  ms: number,
  promise: Promise<Value>,
  toError: () => Error,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(toError()), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
