import { randomBytes } from 'node:crypto'

import { list } from './cluster.ts'
import { fromStack } from './environment.ts'

/** A span to send. */
export interface SentSpan {
  readonly traceId: string
  readonly spanId?: string
  readonly parentSpanId?: string
  readonly name?: string
  /** Milliseconds since 1970; one second ago by default. */
  readonly startMs?: number
  readonly durationMs?: number
  readonly isError?: boolean
  readonly attributes?: Readonly<Record<string, string>>
  /** Input tokens of a model call, in digits. */
  readonly tokens?: string
  /** Attributes of the resource, which describe the sender. */
  readonly resource?: Readonly<Record<string, string>>
}

/** A new trace id. */
export function newTraceId(): string {
  return randomBytes(16).toString('hex')
}

/** The ingest token of a deployment's pods, from its newest telemetry Secret. */
export async function ingestTokenOf(namespace: string): Promise<string> {
  const secrets = await list<{
    metadata: { name: string; creationTimestamp: string }
    data?: Readonly<Record<string, string>>
  }>(`/api/v1/namespaces/${namespace}/secrets`)
  const headers = secrets
    .toSorted((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp))
    .flatMap(({ data }) => data?.['OTEL_EXPORTER_OTLP_HEADERS'] ?? [])
    .map((value) => decodeURIComponent(Buffer.from(value, 'base64').toString()))
  const token = /^authorization=Bearer (\S+)$/.exec(headers.at(-1) ?? '')?.[1]
  if (token === undefined) throw new Error(`${namespace} has no telemetry Secret`)
  return token
}

/** Sends spans to the stack's ingest as OTLP over HTTP in JSON; returns any response. */
export async function sendSpans(
  token: string,
  spans: readonly SentSpan[],
  {
    url = fromStack('SLIPWAY_OTLP_URL'),
    path = '/v1/traces',
  }: { url?: string; path?: string } = {},
): Promise<Response> {
  const resourceSpans = spans.map((span) => ({
    resource: { attributes: toAttributes(span.resource) },
    scopeSpans: [{ spans: [toOtlp(span)] }],
  }))
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ resourceSpans }),
  })
  await response.clone().arrayBuffer()
  return response
}

function toOtlp(span: SentSpan) {
  const { traceId, spanId, parentSpanId, name, startMs, durationMs, isError, attributes, tokens } =
    span
  const start = startMs ?? Date.now() - 1000
  return {
    traceId,
    spanId: spanId ?? randomBytes(8).toString('hex'),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: name ?? 'work',
    kind: 2,
    startTimeUnixNano: `${start}000000`,
    endTimeUnixNano: `${start + (durationMs ?? 10)}000000`,
    attributes: [
      ...toAttributes(attributes),
      ...(tokens === undefined
        ? []
        : [{ key: 'gen_ai.usage.input_tokens', value: { intValue: tokens } }]),
    ],
    status: isError === true ? { code: 2, message: 'went wrong' } : {},
  }
}

function toAttributes(attributes: Readonly<Record<string, string>> = {}) {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}
