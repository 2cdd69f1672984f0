import { ago, localTime } from '@slipway/words/times'
import { useEffect, useState } from 'react'

/** How long ago a time was; the exact time on hover. */
export function TimeAgo({ time }: { readonly time: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={time} title={localTime(time)}>
      {ago(time, Math.max(now, Date.parse(time)))}
    </time>
  )
}
