/** Writes all metrics of the process in Prometheus' text format. */
type MetricsRenderer = () => Promise<string>

/** The media type of `renderMetrics`. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

let render: MetricsRenderer | undefined

/** Renders all metrics of the process; undefined when metrics are off. */
export async function renderMetrics(): Promise<string | undefined> {
  return await render?.()
}

/** Switches metrics on, or off with undefined. */
export function setMetricsRenderer(renderer: MetricsRenderer | undefined): void {
  render = renderer
}

export function isMeasuring(): boolean {
  return render !== undefined
}
