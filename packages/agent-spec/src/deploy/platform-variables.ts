import type { DeploymentTemplate } from '../template/template-types.ts'

/** The variable of the telemetry Secret, which belongs to the deployment and not to a revision. */
export const TELEMETRY_HEADERS_VARIABLE = 'OTEL_EXPORTER_OTLP_HEADERS'

/** The variables of a part of the template that only the platform sets. */
export function reservedNames(template: DeploymentTemplate, path: string): Set<string> {
  if (path.startsWith('ingestion.')) return new Set(['AGENT_URL', 'AGENT_HOST'])
  if (path !== 'agent') return new Set()
  const telemetry = [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    TELEMETRY_HEADERS_VARIABLE,
  ]
  return new Set([
    'ASTRO_AGENT_NAME',
    'ASTRO_AGENT_BUILD',
    'AGENT_URL',
    'AGENT_HOST',
    ...(template.observability.enabled ? telemetry : []),
    ...(template.interfaces.adapters.length > 0 ? ['GRPC_SERVER_ADDR'] : []),
  ])
}

/**
 * Where traces go, and what they are marked with. The headers with the token come from a Secret of
 * their own.
 */
export interface TelemetrySettings {
  readonly endpoint: string
  readonly protocol: string
  readonly resourceAttributes: Readonly<Record<string, string>>
}

/**
 * The telemetry variables of the agent. The file's own service name and attributes go before these.
 */
export function telemetryVariables(
  agent: string,
  telemetry: TelemetrySettings,
): Record<string, string> {
  const attributes = Object.entries(telemetry.resourceAttributes).map(
    ([key, value]) => `${key}=${encodeURIComponent(value)}`,
  )
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: telemetry.endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: telemetry.protocol,
    OTEL_SERVICE_NAME: agent,
    OTEL_RESOURCE_ATTRIBUTES: attributes.join(','),
  }
}
