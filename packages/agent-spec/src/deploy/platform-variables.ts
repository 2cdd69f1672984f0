import type { DeploymentTemplate } from '../template/template-types.ts'

/** The variable in the deployment's telemetry Secret, which all its revisions share. */
export const TELEMETRY_HEADERS_VARIABLE = 'OTEL_EXPORTER_OTLP_HEADERS'

/** Returns the variables that only the platform may set in a part of the template. */
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
 * The endpoint to which an agent sends traces. The headers, with the token, come from a separate
 * Secret.
 */
export interface TelemetrySettings {
  readonly endpoint: string
  readonly protocol: string
  readonly resourceAttributes: Readonly<Record<string, string>>
}

/** The telemetry variables of an agent. */
export interface TelemetryVariables {
  /** Only the platform sets them. */
  readonly reserved: Readonly<Record<string, string>>
  /** Those that the spec sets take precedence. */
  readonly defaults: Readonly<Record<string, string>>
}

/** Returns the telemetry variables of the agent. */
export function telemetryVariables(
  agent: string,
  telemetry: TelemetrySettings,
): TelemetryVariables {
  const attributes = Object.entries(telemetry.resourceAttributes).map(
    ([key, value]) => `${key}=${encodeURIComponent(value)}`,
  )
  return {
    reserved: {
      OTEL_EXPORTER_OTLP_ENDPOINT: telemetry.endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: telemetry.protocol,
    },
    defaults: {
      OTEL_SERVICE_NAME: agent,
      OTEL_RESOURCE_ATTRIBUTES: attributes.join(','),
      // Instrumentations otherwise send names that are out of date, and messages without a form.
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
    },
  }
}
