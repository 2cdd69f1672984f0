const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** An amount as people read it, for example `1.5 GiB`, `0.25 CPU` or `1,200`. */
export function amount(value: number, unit: 'count' | 'bytes' | 'millicores'): string {
  if (unit === 'count') return value.toLocaleString('en-US')
  if (unit === 'millicores') return `${value / 1000} CPU`
  let size = value
  let index = 0
  while (size >= 1024 && index < BYTES.length - 1) {
    size /= 1024
    index += 1
  }
  return `${Number(size.toFixed(1))} ${BYTES[index]}`
}
