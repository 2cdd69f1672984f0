/** An event of a trace of Chromium, with times in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** How long the thread had the processor. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** A task that kept the page from drawing. */
export interface LongTask {
  /** From its start to its end. */
  readonly wall_ms: number
  /** How long the page computed; the rest of the time, other programs had the processor. */
  readonly cpu_ms: number
  /** The same by what the page did. */
  readonly work_ms: Readonly<Record<string, number>>
}

/** The tasks of a page. */
export interface PageTasks {
  readonly count: number
  readonly longest_wall_ms: number
  readonly longest_cpu_ms: number
  readonly over_50_ms_of_cpu: number
  readonly over_50_ms: readonly LongTask[]
}

/** What a trace must have. */
export const CATEGORIES = ['-*', 'toplevel', 'devtools.timeline', 'v8.execute']

const MAIN_THREAD = 'CrRendererMain'
const TASK = /RunTask$/
const LONG_MS = 50
const WORK: readonly (readonly [kind: string, names: RegExp])[] = [
  ['garbage collection', /GC/],
  ['style', /^(UpdateLayoutTree|RecalculateStyles|ParseAuthorStyleSheet)/],
  ['layout', /^Layout$/],
  ['paint', /^(PrePaint|Paint|Layerize|Commit|UpdateLayer|CompositeLayers)/],
  ['script', /^(FunctionCall|v8\.|V8\.|Evaluate|RunMicrotasks|TimerFire|Fire|EventDispatch)/],
]

/** Finds the tasks of the main threads of pages in a trace. */
export function pageTasks(trace: string): PageTasks {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: readonly TraceEvent[] }
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === MAIN_THREAD)
      .map(threadOf),
  )
  const events = traceEvents
    .filter((event) => event.ph === 'X' && threads.has(threadOf(event)))
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
  const tasks = events.filter(({ name }) => TASK.test(name))
  if (!tasks.some(({ tdur = 0 }) => tdur > 0))
    throw new Error('the trace has no tasks of pages with their processor time')
  const long = tasks
    .filter(({ dur = 0 }) => toMs(dur) >= LONG_MS)
    .map((task) => ({
      wall_ms: toMs(task.dur),
      cpu_ms: toMs(task.tdur),
      work_ms: workOf(task, events),
    }))
  return {
    count: tasks.length,
    longest_wall_ms: Math.max(...tasks.map(({ dur }) => toMs(dur))),
    longest_cpu_ms: Math.max(...tasks.map(({ tdur }) => toMs(tdur))),
    over_50_ms_of_cpu: long.filter(({ cpu_ms: cpu }) => cpu >= LONG_MS).length,
    over_50_ms: long,
  }
}

/** The tasks of two periods. */
export function together(first: PageTasks, second: PageTasks): PageTasks {
  const { max } = Math
  return {
    count: first.count + second.count,
    longest_wall_ms: max(first.longest_wall_ms, second.longest_wall_ms),
    longest_cpu_ms: max(first.longest_cpu_ms, second.longest_cpu_ms),
    over_50_ms_of_cpu: first.over_50_ms_of_cpu + second.over_50_ms_of_cpu,
    over_50_ms: [...first.over_50_ms, ...second.over_50_ms],
  }
}

/** The processor time of a task by kind of work, without that of events inside of others. */
function workOf(task: TraceEvent, events: readonly TraceEvent[]): Record<string, number> {
  const end = task.ts + (task.dur ?? 0)
  const inside = events.filter(
    (event) => threadOf(event) === threadOf(task) && event.ts >= task.ts && event.ts < end,
  )
  const sums = new Map<string, number>()
  const open: TraceEvent[] = []
  const add = ({ name }: TraceEvent, micros: number) => {
    const kind = WORK.find(([, names]) => names.test(name))?.[0] ?? 'other'
    sums.set(kind, (sums.get(kind) ?? 0) + micros)
  }
  for (const event of inside) {
    while (open.length > 0 && endOf(open.at(-1)) <= event.ts) open.pop()
    const outer = open.at(-1)
    add(event, event.tdur ?? 0)
    if (outer !== undefined) add(outer, -(event.tdur ?? 0))
    open.push(event)
  }
  const work = [...sums].map(([kind, micros]) => [kind, toMs(micros)] as const)
  return Object.fromEntries(work.filter(([, ms]) => ms > 0).toSorted((a, b) => b[1] - a[1]))
}

function endOf(event: TraceEvent | undefined): number {
  return (event?.ts ?? 0) + (event?.dur ?? 0)
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`
}

function toMs(micros = 0): number {
  return Math.round(micros / 1000)
}
