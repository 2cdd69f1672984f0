import {
  metrics,
  ValueType,
  type Attributes,
  type Counter,
  type Histogram,
  type ObservableResult,
} from '@opentelemetry/api'

/** Bucket boundaries, from a cached response to a deploy that waits for its pods. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * A histogram of durations, which also counts events. The unit is part of the name, as Prometheus
 * recommends, because the exporter doesn't add it.
 */
function histogram(name: string, description: string): () => Histogram {
  // Created when it is first used: one created before `startTelemetry` would record nothing.
  let made: Histogram | undefined
  return () =>
    (made ??= metrics.getMeter('slipway').createHistogram(`${name}.seconds`, {
      description,
      unit: 'seconds',
      valueType: ValueType.DOUBLE,
      advice: { explicitBucketBoundaries: SECONDS },
    }))
}

const rpcDuration = histogram('rpc.server.call.duration', 'Duration of served RPCs')
const httpDuration = histogram('http.server.request.duration', 'Duration of served HTTP requests')
const eventDuration = histogram('messaging.process.duration', 'Duration of handling an event')

/** Records a served RPC. `code` is the lower-case name of its status code, or `ok`. */
export function measureRpc(method: string, code: string, seconds: number): void {
  rpcDuration().record(seconds, { 'rpc.method': method, 'rpc.response.status_code': code })
}

/** Records a served HTTP request, by its route's pattern. */
export function measureHttpRequest(
  method: string,
  route: string,
  status: number,
  seconds: number,
): void {
  httpDuration().record(seconds, {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
  })
}

/** Records an event that a consumer handled or failed to handle. */
export function measureEvent(consumer: string, outcome: 'ok' | 'failed', seconds: number): void {
  eventDuration().record(seconds, { 'messaging.consumer.group.name': consumer, outcome })
}

/**
 * Records a value whenever metrics are read, until it is disposed of. `read` returns undefined if
 * the value isn't known now; an error counts as that.
 */
export function observe(
  { name, description }: { readonly name: string; readonly description: string },
  attributes: Attributes,
  read: () => Promise<number | undefined>,
): Disposable {
  const gauge = metrics.getMeter('slipway').createObservableGauge(name, { description })
  const callback = async (result: ObservableResult): Promise<void> => {
    const value = await read().catch(() => undefined)
    if (value !== undefined) result.observe(value, attributes)
  }
  gauge.addCallback(callback)
  return { [Symbol.dispose]: () => gauge.removeCallback(callback) }
}

/** Creates a counter for one service. */
export function createCounter(
  name: string,
  description: string,
): (amount: number, attributes: Attributes) => void {
  let made: Counter | undefined
  return (amount, attributes) => {
    made ??= metrics.getMeter('slipway').createCounter(name, { description })
    made.add(amount, attributes)
  }
}
