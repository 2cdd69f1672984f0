/** One sample of Prometheus' text format. */
interface Sample {
  readonly name: string
  readonly labels: string
  readonly value: number
}

const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?`
const LINE = new RegExp(String.raw`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:${LABEL})*)\})? (\S+)$`)

/** Parses the samples in a text; returns all other lines as problems. */
export function readSamples(text: string): {
  samples: readonly Sample[]
  problems: readonly string[]
} {
  const samples: Sample[] = []
  const problems: string[] = []
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? []
    if (name === undefined || Number.isNaN(Number(value.replace('+Inf', 'Infinity'))))
      problems.push(`not a sample: ${line}`)
    else samples.push({ name, labels, value: Number(value.replace('+Inf', 'Infinity')) })
  }
  return { samples, problems }
}

/** The complaints of `promtool check metrics`, and buckets that don't add up. */
export function lintMetrics(text: string): readonly string[] {
  const { samples, problems } = readSamples(text)
  const found = [...problems]
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  )
  const helped = new Set([...text.matchAll(/^# HELP (\S+) \S.*$/gm)].map(([, name]) => name))
  for (const [name, type] of types) {
    if (!helped.has(name)) found.push(`${name} has no HELP`)
    if (type === 'counter' && !name.endsWith('_total'))
      found.push(`the counter ${name} should end in _total`)
    if (type !== 'counter' && name.endsWith('_total'))
      found.push(`${name} ends in _total and is not a counter`)
    if (type === 'histogram' && !/_(?:seconds|bytes)$/.test(name))
      found.push(`${name} does not end in a base unit`)
    if (/_(?:count|sum|bucket|info)$/.test(name) && name !== 'target_info')
      found.push(`${name} has a reserved suffix`)
    if (/(?:milli|micro|nano)second|_ms\b|_minutes|_hours|kilobyte|megabyte/.test(name)) {
      found.push(`${name} is not in a base unit`)
    }
    if (/[A-Z]|:/.test(name)) found.push(`${name} is not in snake case`)
  }
  const seen = new Set<string>()
  for (const { name, labels } of samples) {
    const family = types.has(name) ? name : name.replace(/_(?:count|sum|bucket)$/, '')
    if (!types.has(family)) found.push(`${name} has no TYPE`)
    if (seen.has(`${name}{${labels}}`)) found.push(`${name}{${labels}} is there twice`)
    seen.add(`${name}{${labels}}`)
  }
  return [...found, ...lintBuckets(samples)]
}

/** Counts of buckets must grow, up to the total in +Inf. */
function lintBuckets(samples: readonly Sample[]): string[] {
  const buckets = samples.filter(({ name }) => name.endsWith('_bucket'))
  const series = Map.groupBy(
    buckets,
    ({ name, labels }) => `${name.slice(0, -7)}{${labels.replace(/,?le="[^"]*"/, '')}}`,
  )
  const counts = new Map(
    samples
      .filter(({ name }) => name.endsWith('_count'))
      .map((each) => [`${each.name.slice(0, -6)}{${each.labels}}`, each]),
  )
  return [...series].flatMap(([key, each]) => {
    const grows = each.every(
      ({ value }, index) => index === 0 || value >= (each[index - 1]?.value ?? 0),
    )
    const all = each.at(-1)
    const isWhole =
      all?.labels.includes('le="+Inf"') === true && all.value === counts.get(key)?.value
    return grows && isWhole ? [] : [`the buckets of ${key} don't add up`]
  })
}
