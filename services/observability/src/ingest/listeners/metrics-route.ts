import { create } from '@bufbuild/protobuf'
import { ExportMetricsServiceResponseSchema } from '@slipway/proto/opentelemetry/proto/collector/metrics/v1/metrics_service'
import type { FastifyInstance } from 'fastify'

import { answer } from './otlp-answer.ts'
import type { OtlpSenders } from './otlp-senders.ts'

/** The path of metrics, whose bodies are read but not kept. */
export const METRICS_PATH = '/v1/metrics'

/**
 * Adds the route that takes metrics and keeps nothing of them: without it, SDKs and collectors log
 * an error for each export. Their content isn't decoded.
 */
export function addMetricsRoute(app: FastifyInstance, senders: OtlpSenders): void {
  app.post(METRICS_PATH, {
    onRequest: (request, reply) => senders.admit(request, reply),
    handler: (request, reply) =>
      answer(
        reply,
        request,
        ExportMetricsServiceResponseSchema,
        create(ExportMetricsServiceResponseSchema),
      ),
  })
}
