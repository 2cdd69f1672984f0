declare global {
  interface JSON {
    /**
     * https://tc39.es/proposal-json-parse-with-source/#sec-json.rawjson; TypeScript doesn't know it
     * yet.
     */
    rawJSON(text: string): object
  }
}

/** JSON text in which whole numbers beyond a double's precision keep every digit. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(member.toString()) : member,
  )
}
