const PYTHON = 'Traceback (most recent call last):'
/** Longer texts are cut first. */
const MAX_LENGTH = 64 * 1024
const FRAME_OF_NODE = /\n\s+at .*/

/**
 * Returns an error's message without the traceback that some senders put into it: events have it.
 * A traceback of Python ends with the message, one of Node begins with it.
 */
export function withoutTraceback(message: string): string {
  const text = message.slice(-MAX_LENGTH)
  const start = text.indexOf(PYTHON)
  if (start > 0) return text.slice(0, start).trimEnd()
  if (start < 0) return message.slice(0, MAX_LENGTH).split(FRAME_OF_NODE, 1)[0] ?? message
  const lines = text.split('\n')
  const frame = lines.findLastIndex((line) => /^\s+File "/.test(line))
  const end = lines.slice(frame + 1).findIndex((line) => /^\S/.test(line))
  return end < 0
    ? text
    : lines
        .slice(frame + 1 + end)
        .join('\n')
        .trim()
}
