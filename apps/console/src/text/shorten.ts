/** The first characters of a text; the whole if it has no more. Cuts no character in two. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}
