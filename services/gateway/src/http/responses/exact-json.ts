declare global {
  interface JSON {
    /**
     * https://tc39.es/proposal-json-parse-with-source/#sec-json.rawjson; not in TypeScript's
     * library yet.
     */
    rawJSON(text: string): object
  }
}

/** Serializes a value as JSON. Bigints become numbers with all digits. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(member.toString()) : member,
  )
}
