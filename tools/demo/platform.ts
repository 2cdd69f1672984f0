/** A response that the demo doesn't expect. Its message is meant for the user. */
export class UnexpectedAnswer extends Error {}

/** A user's session with the REST API. */
export interface Platform {
  /**
   * Sends a request below `/api/v1`; throws UnexpectedAnswer unless the status is one of
   * `expected`.
   */
  call(
    method: string,
    path: string,
    body?: unknown,
    expected?: readonly number[],
  ): Promise<PlatformAnswer>
}

/** A response of the API. */
export interface PlatformAnswer {
  readonly status: number
  readonly text: string
  /** The body as JSON. */
  json<Shape>(): Shape
}

/** Returns a client of the gateway at `origin` with this access token. */
export function connectPlatform(origin: string, token: string): Platform {
  return {
    async call(method, path, body, expected = [200, 201]) {
      const headers = new Headers({ authorization: `Bearer ${token}` })
      if (body !== undefined) headers.set('content-type', 'application/json')
      const response = await fetch(`${origin}/api/v1${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!expected.includes(response.status)) {
        throw new UnexpectedAnswer(
          `${method} /api/v1${path} returned ${response.status}: ${text.slice(0, 2000)}`,
        )
      }
      return { status: response.status, text, json: <Shape>() => JSON.parse(text) as Shape }
    },
  }
}
