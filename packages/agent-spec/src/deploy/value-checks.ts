import { hintFor } from '../names/closest-name.ts'
import { DURATION_PROBLEM, durationSeconds } from '../grammar/duration.ts'
import { parseQuantity } from '../grammar/quantity.ts'
import { isObject, isStorable, own, type JsonObject, type JsonValue } from '../json.ts'

/** Returns a value's problems, each with its path inside the value, '' for the value itself. */
export type Check = (value: JsonValue) => { path: string; problem: string }[]

/** The maximum number of replicas of a component. */
export const MAX_REPLICAS = 100
const MAX_PATH_LENGTH = 2048
const PATH_PROBLEM =
  `must start with /, have at most ${MAX_PATH_LENGTH} characters ` + 'and no control characters'
const ACCESS_MODES = ['ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteMany'] as const

const single = (problem: string) => [{ path: '', problem }]

/** Checks that a value is a whole number within bounds. */
export function whole(min: number, max: number): Check {
  const problem = `must be a whole number from ${min} to ${max}`
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? []
      : single(problem)
}

function text(problem: string, test: (text: string) => boolean): Check {
  return (value) =>
    typeof value === 'string' && isStorable(value) && test(value) ? [] : single(problem)
}

/** Checks that a value is `true` or `false`. */
export const flag: Check = (value) =>
  typeof value === 'boolean' ? [] : single('must be true or false')

/** Checks a mapping: it may have only these fields, and must have those in `required`. */
function fields(checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value) => {
    if (!isObject(value)) return single('must be a mapping')
    const missing = required.filter((key) => own(value, key) === undefined)
    return [
      ...missing.map((key) => ({ path: key, problem: 'is required' })),
      ...Object.entries(value).flatMap(([key, field]) => {
        const check = own(checks, key)
        if (!check)
          return [{ path: key, problem: `unknown field${hintFor(key, Object.keys(checks))}` }]
        return check(field).map(({ path, problem }) => ({
          path: path === '' ? key : `${key}.${path}`,
          problem,
        }))
      }),
    ]
  }
}

const quantity = text(
  'must be a quantity greater than zero, like 500m, 2 or 1Gi',
  (value) => parseQuantity(value) !== undefined,
)
const duration = text(DURATION_PROBLEM, (value) => durationSeconds(value) !== undefined)
const amounts = fields({ cpu: quantity, memory: quantity }, ['cpu', 'memory'])
const PERCENTAGE = /^(?:100|\d{1,2})%$/

/** Checks requests and limits; a request must not exceed its limit. */
export const resources: Check = (value) => {
  const shape = fields({ requests: amounts, limits: amounts }, ['requests', 'limits'])(value)
  if (shape.length > 0) return shape
  return ['cpu', 'memory'].flatMap((name) => {
    const [request, limit] = ['requests', 'limits'].map((side) =>
      quantityAt(value as JsonObject, side, name),
    )
    const over = request !== undefined && limit !== undefined && request > limit
    return over ? [{ path: `requests.${name}`, problem: 'must not exceed the limit' }] : []
  })
}

// A control character such as a line break would corrupt the probe's HTTP request.
function isPath(path: string): boolean {
  return path.startsWith('/') && path.length <= MAX_PATH_LENGTH && !/\p{Cc}/u.test(path)
}

// A path with `..` can refer to a different directory than it seems to.
function isMountPath(path: string): boolean {
  return (
    /^\/[^/:][^:]*$/.test(path) &&
    !/\p{Cc}/u.test(path) &&
    !path.split('/').some((part) => /^\.\.?$/.test(part))
  )
}

const probe = {
  path: text(PATH_PROBLEM, isPath),
  command: command,
  tcp: ((tcp) => (tcp === true ? [] : single('must be true'))) as Check,
  interval: duration,
  timeout: duration,
  retries: whole(1, 100),
}
const timing = ['interval', 'timeout', 'retries']
const liveness = oneWay(fields(probe, timing))

/** Checks a healthcheck. */
export const healthcheck: Check = oneWay(
  fields({ ...probe, initial_delay: duration, liveness }, ['initial_delay', ...timing]),
)

function oneWay(check: Check): Check {
  return (value) => {
    const ways = isObject(value)
      ? ['path', 'command', 'tcp'].filter((key) => own(value, key) !== undefined).length
      : 1
    const problem = ways === 1 ? [] : single('needs exactly one of path, command and tcp')
    return [...check(value), ...problem]
  }
}

/** Checks an update strategy. */
export const update: Check = (value) => {
  if (isObject(value) && own(value, 'strategy') === 'recreate')
    return fields({ strategy: () => [] })(value)
  const share: Check = (amount) =>
    (typeof amount === 'string' && PERCENTAGE.test(amount)) ||
    whole(0, MAX_REPLICAS)(amount).length === 0
      ? []
      : single('must be a whole number or a percentage like 25%')
  const strategy = text('must be rolling or recreate', (word) => word === 'rolling')
  const names = ['strategy', 'max_unavailable', 'max_surge']
  const shape = fields({ strategy, max_unavailable: share, max_surge: share }, names)(value)
  if (shape.length > 0 || !isObject(value)) return shape
  const isNothing = (amount: JsonValue | undefined) =>
    amount === 0 || amount === '0%' || amount === '00%'
  const stuck = isNothing(own(value, 'max_unavailable')) && isNothing(own(value, 'max_surge'))
  return stuck ? single('max_unavailable and max_surge must not both be zero') : []
}

/** Checks a component's GPUs. */
export const gpu: Check = fields(
  {
    vram: text('must be a non-empty string', (value) => value !== ''),
    runtime: text('must be cuda or rocm', (value) => value === 'cuda' || value === 'rocm'),
    count: whole(0, 16),
  },
  ['runtime', 'count'],
)

/** Checks a component's volume. */
export const storage: Check = fields(
  {
    size: quantity,
    class: text('must be the name of a storage class', (value) =>
      /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(value),
    ),
    access_mode: text(`must be one of ${ACCESS_MODES.join(', ')}`, (value) =>
      ACCESS_MODES.some((mode) => mode === value),
    ),
    mount_path: text('must be an absolute path', isMountPath),
  },
  ['size', 'access_mode', 'mount_path'],
)

function command(value: JsonValue): ReturnType<Check> {
  const isList =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((word) => typeof word === 'string' && isStorable(word))
  return isList ? [] : single('must be a non-empty list of strings')
}

function quantityAt(value: JsonObject, side: string, name: string): number | undefined {
  const amount = own(value, side)
  const textual = isObject(amount) ? own(amount, name) : undefined
  return typeof textual === 'string' ? parseQuantity(textual) : undefined
}
