/**
 * Replaces data URLs in text by placeholders such as `[image/png]`: they can have megabytes of
 * base64.
 */
export function withoutDataUrls(text: string): string {
  if (!text.includes(';base64,')) return text
  return text.replaceAll(DATA_URL, (_, type: string) => `[${type}]`)
}

const DATA_URL = /data:([\w.+-]{1,50}\/[\w.+-]{1,50})(?:;[\w.+=-]{1,50}){0,4};base64,[\w+/=%-]*/g
