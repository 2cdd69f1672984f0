import { toJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf'
import type { CallOptions } from '@connectrpc/connect'
import {
  ResourceSpansSchema,
  type ResourceSpans,
} from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import type { Clients } from '../../backend/clients.ts'
import { exactJson } from '../../http/responses/exact-json.ts'
import { toTraceAnswer } from './trace-json.ts'

export interface TraceName {
  readonly account: string
  readonly name: string
  readonly traceId: string
}

/** How an export is written. */
export interface ExportFormat {
  readonly mediaType: string
  readonly start: string
  readonly separator: string
  readonly end: string
  /** Reads a trace, and writes it. */
  readonly write: (
    traces: Clients['traces'],
    trace: TraceName,
    options: CallOptions,
  ) => Promise<string>
}

/** The formats of exports, by their name in queries. */
export const exportFormats = {
  otlp: {
    mediaType: 'application/json; charset=utf-8',
    start: '{"resourceSpans":[',
    separator: ',',
    end: ']}\n',
    async write(traces, trace, options) {
      const { resourceSpans } = await traces.exportTrace(trace, options)
      return resourceSpans.map(toOtlpJson).join(',')
    },
  },
  jsonl: {
    mediaType: 'application/x-ndjson; charset=utf-8',
    start: '',
    separator: '',
    end: '',
    write: async (traces, trace, options) =>
      `${exactJson(toTraceAnswer(await traces.getTrace(trace, options)))}\n`,
  },
} as const satisfies Record<string, ExportFormat>

export type ExportFormatName = keyof typeof exportFormats

/**
 * Writes spans in OTLP's JSON, which is protobuf's JSON mapping with hexadecimal ids and numeric
 * enums. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
function toOtlpJson(resourceSpans: ResourceSpans): string {
  const json = toJson(ResourceSpansSchema, resourceSpans, { enumAsInteger: true }) as JsonObject
  for (const scopeSpans of listIn(json, 'scopeSpans'))
    for (const span of listIn(scopeSpans, 'spans')) for (const key of ID_KEYS) toHex(span, key)
  return JSON.stringify(json)
}

const ID_KEYS = ['traceId', 'spanId', 'parentSpanId']

function toHex(span: JsonObject, key: string): void {
  const id = span[key]
  if (typeof id === 'string') span[key] = Buffer.from(id, 'base64').toString('hex')
}

function listIn(object: JsonObject, key: string): readonly JsonObject[] {
  const list: JsonValue | undefined = object[key]
  return Array.isArray(list) ? (list as readonly JsonObject[]) : []
}
