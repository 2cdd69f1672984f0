import { interfaceCredentials } from '../interfaces.ts'
import { sortedRecord } from '../json.ts'
import type { ResolvedComponent } from './component-types.ts'
import { probeOf } from './resolve-parts.ts'
import { resolveEnvironment, type ResolveContext } from './resolve-values.ts'

const WEB_PORT = 8080

/**
 * Returns the messaging container if a deployment has interfaces. It gets only the credentials of
 * its adapters.
 */
export function messagingComponent(
  context: ResolveContext,
  agent: { AGENT_URL: string },
): ResolvedComponent[] {
  const { interfaces } = context.template
  if (interfaces.adapters.length === 0) return []
  const hasWeb = interfaces.adapters.includes('web')
  const keys = interfaceCredentials(interfaces.adapters).map(
    ({ key }) => [key, `\${credentials.${key}}`] as const,
  )
  const { secret } = resolveEnvironment(Object.fromEntries(keys), context)
  const plain: [string, string][] = [
    ['AGENT_URL', agent.AGENT_URL],
    ['GRPC_LISTEN_ADDR', `:${interfaces.port}`],
    ['SLACK_ENABLED', String(interfaces.adapters.includes('slack'))],
    ['WEB_ENABLED', String(hasWeb)],
    ...(hasWeb ? ([['WEB_LISTEN_ADDR', `:${WEB_PORT}`]] satisfies [string, string][]) : []),
  ]
  // Only the web adapter is known to listen on a port, so there is no probe without it.
  const timing = {
    initial_delay: context.settings.defaults.initialDelay,
    interval: '10s',
    timeout: '5s',
    retries: 3,
  }
  const probe = hasWeb ? probeOf({ tcp: true, ...timing }, WEB_PORT) : undefined
  return [
    {
      kind: 'messaging',
      name: 'messaging',
      image: context.settings.messaging?.image ?? '',
      args: [],
      ports: [
        { name: 'grpc', port: interfaces.port },
        ...(hasWeb ? [{ name: 'http', port: WEB_PORT }] : []),
      ],
      replicas: 1,
      environment: { plain: sortedRecord(plain), secret },
      resources: interfaces.resources,
      ...(probe ? { probe } : {}),
      update: { strategy: 'rolling', max_unavailable: '25%', max_surge: '25%' },
      writablePaths: [],
      ...(hasWeb && interfaces.expose.enabled ? { expose: { port: WEB_PORT } } : {}),
      telemetry: false,
    },
  ]
}
