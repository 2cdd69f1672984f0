const JSON_TYPE = /^application\/(?:\w+\+)?json(?:;|$)/

/** Whether a media type is JSON, or based on JSON such as `application/problem+json`. */
export function isJsonType(type: string): boolean {
  return JSON_TYPE.test(type)
}
