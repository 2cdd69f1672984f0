import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
  type WheelEvent,
} from 'react'

import type { LogLine } from './log-line.ts'

/** So close to the end, the newest line stays in view. */
const NEAR_END_PX = 40
const KEYS_UP: ReadonlySet<string> = new Set(['ArrowUp', 'Home', 'PageUp'])

/**
 * Shows the newest lines of a log until the user scrolls up. Then the lines stay as they are: those
 * that the user reads would move away when older ones are dropped.
 */
export function useFollowing(frame: RefObject<HTMLDivElement | null>, lines: readonly LogLine[]) {
  const [held, setHeld] = useState<readonly LogLine[]>()
  const newest = useRef(lines)
  const lastTop = useRef(0)
  useEffect(() => {
    newest.current = lines
  })
  const hold = useCallback(() => setHeld((known) => known ?? newest.current), [])
  const follow = () => setHeld(undefined)
  // New lines would end a slow movement before it has left the end.
  const holdIfScrolled = () => {
    if ((frame.current?.scrollTop ?? 0) > 0) hold()
  }
  const handlers = {
    onScroll: () => {
      const { current: element } = frame
      if (element === null) return
      const { scrollTop, scrollHeight, clientHeight } = element
      const isUp = scrollTop < lastTop.current
      lastTop.current = scrollTop
      if (scrollHeight - scrollTop - clientHeight >= NEAR_END_PX) hold()
      else if (!isUp) follow()
    },
    onWheel: ({ deltaY }: WheelEvent) => {
      if (deltaY < 0) holdIfScrolled()
    },
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (KEYS_UP.has(key)) holdIfScrolled()
    },
  }
  return { shown: held ?? lines, isFollowing: held === undefined, hold, follow, handlers }
}
