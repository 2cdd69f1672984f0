/** Writes all metrics of the process in Prometheus' text format. */
type MetricsRenderer = () => Promise<string>

/** Media type of what `renderMetrics` gives. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

let render: MetricsRenderer | undefined

/** All metrics of the process; undefined when they are off. */
export async function renderMetrics(): Promise<string | undefined> {
  return await render?.()
}

/** Says how metrics are written from now on; undefined for not at all. */
export function setMetricsRenderer(renderer: MetricsRenderer | undefined): void {
  render = renderer
}

/** Whether anything is counted. */
export function isMeasuring(): boolean {
  return render !== undefined
}
