import type { Text } from '../../output/blocks.ts'

const WARNING_SHARE = 0.8

/** A bar of this many characters and the percentage; programs get only the percentage. */
export function bar(used: number, limit: number, columns: number): Text {
  const share = limit > 0 ? used / limit : used > 0 ? 1 : 0
  const percent = Math.floor(share * 100)
  // From 1 % on, something is visible, and a bar is only full at the limit.
  const most = Math.max(0, share < 1 ? columns - 1 : columns)
  const filled = percent === 0 ? 0 : Math.min(most, Math.max(1, Math.round(share * columns)))
  const style = share >= 1 ? 'bad' : share >= WARNING_SHARE ? 'warning' : 'good'
  const drawn = columns > 0 ? `${'█'.repeat(filled)}${'░'.repeat(columns - filled)} ` : ''
  const text = `${drawn}${percent} %`
  return { text, style, plain: `${percent}` }
}
