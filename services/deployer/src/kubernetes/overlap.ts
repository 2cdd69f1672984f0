/**
 * Returns a function that says how many of the first characters of `text` another text ends with,
 * except all of it. It takes linear time (Knuth, Morris and Pratt), because users choose both.
 */
export function overlapsWith(text: string): (other: string) => number {
  // For each length of a beginning: the longest shorter one that it ends with.
  const shorter = new Uint32Array(text.length + 1)
  const next = (length: number, unit: number) => {
    while (length > 0 && (length === text.length || text.charCodeAt(length) !== unit))
      length = shorter[length] ?? 0
    return text.charCodeAt(length) === unit ? length + 1 : 0
  }
  for (let end = 1; end < text.length; end++)
    shorter[end + 1] = next(shorter[end] ?? 0, text.charCodeAt(end))
  return (other) => {
    let length = 0
    for (let at = 1; at < other.length; at++) length = next(length, other.charCodeAt(at))
    return length
  }
}
