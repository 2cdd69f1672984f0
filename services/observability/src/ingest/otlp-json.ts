import { fromJson, type JsonValue } from '@bufbuild/protobuf'
import {
  ExportTraceServiceRequestSchema,
  type ExportTraceServiceRequest,
} from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'

/**
 * Reads a request in OTLP's JSON, which is the usual JSON of protobuf but for the ids of traces and spans: those are in
 * hexadecimal. An id that isn't becomes empty, so that its span alone is rejected. Throws for anything else.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function requestFromJson(text: string): ExportTraceServiceRequest {
  const json: JsonValue = JSON.parse(text)
  for (const resourceSpans of objects(json, 'resourceSpans', 'resource_spans')) {
    for (const scopeSpans of objects(resourceSpans, 'scopeSpans', 'scope_spans')) {
      for (const span of objects(scopeSpans, 'spans')) {
        convertIds(span)
        for (const link of objects(span, 'links')) convertIds(link)
      }
    }
  }
  return fromJson(ExportTraceServiceRequestSchema, json, { ignoreUnknownFields: true })
}

const ID_KEYS = ['traceId', 'trace_id', 'spanId', 'span_id', 'parentSpanId', 'parent_span_id']

function convertIds(object: Record<string, JsonValue>): void {
  for (const key of ID_KEYS) {
    const id = object[key]
    if (typeof id !== 'string') continue
    object[key] = /^([0-9a-fA-F]{2})*$/.test(id) ? Buffer.from(id, 'hex').toString('base64') : ''
  }
}

/** The objects in the list that a member holds; nothing when it is something else, which `fromJson` will refuse. */
function objects(value: JsonValue, ...keys: readonly string[]): Record<string, JsonValue>[] {
  if (!isObject(value)) return []
  return keys.flatMap((key) => {
    const list = value[key]
    return Array.isArray(list) ? list.filter(isObject) : []
  })
}

function isObject(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
