/**
 * Yields the lines of a text that arrives in pieces, without their ends. A last line without a
 * newline is dropped if the text will be continued, which then has the whole line.
 */
export async function* readLines(
  pieces: AsyncIterable<string>,
  isContinued: boolean,
): AsyncGenerator<string, void> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '' && !isContinued) yield rest
}
