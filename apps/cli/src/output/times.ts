import { ago as textOf } from '@slipway/words/times'

import type { Text } from './blocks.ts'

export { clock, durationOf, localTime, millis } from '@slipway/words/times'

/** How long ago a time was, like `3 h ago`; programs get the time itself. */
export function ago(time: string, now = Date.now()): Text {
  return { text: textOf(time, now), plain: time }
}
