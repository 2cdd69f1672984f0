import { ago, localTime } from '@slipway/words/times'
import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

/**
 * How long ago a time was, in whole minutes or more: a page that changes every few seconds disturbs
 * those who listen to it. The exact time on hover.
 */
export function TimeAgo({ time }: { readonly time: string }) {
  useSyncExternalStore(everyMinute, currentMinute)
  const isNew = Date.now() - Date.parse(time) < MINUTE_MS
  return (
    <time dateTime={time} title={localTime(time)}>
      {isNew ? 'less than a minute ago' : ago(time)}
    </time>
  )
}

const shown = new Set<() => void>()
let timer: number | undefined

/** One timer for all ages of a page. */
function everyMinute(onChange: () => void): () => void {
  shown.add(onChange)
  timer ??= window.setInterval(() => {
    for (const change of shown) change()
  }, MINUTE_MS)
  return () => {
    shown.delete(onChange)
    if (shown.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}

function currentMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS)
}
