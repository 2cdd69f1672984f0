import { localTime } from '@slipway/words/times'

import { TimeAgo } from './time-ago.tsx'

/** How long ago a time was, with the time itself below it. */
export function ExactTime({ time }: { readonly time: string }) {
  return (
    <>
      <TimeAgo time={time} />
      <span className="detail">{localTime(time)}</span>
    </>
  )
}
