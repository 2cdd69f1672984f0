import {
  metrics,
  ValueType,
  type Attributes,
  type Counter,
  type Histogram,
} from '@opentelemetry/api'

/** From a call answered from memory to a deploy that waits for its pods. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * How long calls took and how they ended, which also tells how many there were. The unit stands in
 * the name, where Prometheus wants it: the exporter doesn't put it there.
 */
function histogram(name: string, description: string): () => Histogram {
  // Made when it is first used: before `startTelemetry` there would be nobody to count for it.
  let made: Histogram | undefined
  return () =>
    (made ??= metrics.getMeter('slipway').createHistogram(`${name}.seconds`, {
      description,
      unit: 'seconds',
      valueType: ValueType.DOUBLE,
      advice: { explicitBucketBoundaries: SECONDS },
    }))
}

const rpcDuration = histogram('rpc.server.call.duration', 'Duration of RPCs that were served')
const httpDuration = histogram(
  'http.server.request.duration',
  'Duration of HTTP requests that were served',
)
const eventDuration = histogram('messaging.process.duration', 'Duration of handling an event')

/** Counts an RPC that was served. `code` is the lower-case name of its status, `ok` included. */
export function measureRpc(method: string, code: string, seconds: number): void {
  rpcDuration().record(seconds, { 'rpc.method': method, 'rpc.response.status_code': code })
}

/** Counts an HTTP request that was served, by its route's pattern. */
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

/** Counts an event that a consumer handled, well or not. */
export function measureEvent(consumer: string, outcome: 'ok' | 'failed', seconds: number): void {
  eventDuration().record(seconds, { 'messaging.consumer.group.name': consumer, outcome })
}

/** A counter of a service's own, e.g. of what it stored. */
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
