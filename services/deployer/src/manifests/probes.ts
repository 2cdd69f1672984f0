import type { ComponentCheck, ComponentProbe } from '@slipway/agent-spec'

import type { Container } from './types.ts'

/** A container that hasn't started after this time is restarted. */
const STARTUP_SECONDS = 300

/**
 * Renders a container's probes. The startup probe starts immediately and runs often: fast
 * containers become ready immediately, and slow ones aren't killed. The other probes start after it
 * has succeeded. There is a liveness probe only if the spec has one: if it were the readiness
 * probe, the outage of something that a container needs would restart the container too.
 */
export function renderProbes(
  probe: ComponentProbe | undefined,
): Pick<Container, 'startupProbe' | 'readinessProbe' | 'livenessProbe'> {
  if (probe === undefined) return {}
  const { liveness } = probe
  const startupPeriod = probe.check.kind === 'exec' ? 2 : 1
  return {
    startupProbe: {
      ...renderCheck(probe),
      timeoutSeconds: probe.timeoutSeconds,
      periodSeconds: startupPeriod,
      failureThreshold: Math.ceil(STARTUP_SECONDS / startupPeriod),
    },
    readinessProbe: renderRegular(probe),
    ...(liveness && {
      livenessProbe: {
        ...renderRegular(liveness),
        initialDelaySeconds: liveness.initialDelaySeconds,
      },
    }),
  }
}

function renderRegular(probe: ComponentCheck): NonNullable<Container['readinessProbe']> {
  const { timeoutSeconds, periodSeconds, failureThreshold } = probe
  return { ...renderCheck(probe), timeoutSeconds, periodSeconds, failureThreshold }
}

function renderCheck({ check }: ComponentCheck): NonNullable<Container['startupProbe']> {
  switch (check.kind) {
    case 'http':
      return { httpGet: { path: check.path, port: check.port } }
    case 'exec':
      return { exec: { command: [...check.command] } }
    case 'tcp':
      return { tcpSocket: { port: check.port } }
  }
}
