import type { ComponentProbe } from '@slipway/agent-spec'

import type { Container } from './types.ts'

/** A container that hasn't started after this time is restarted. */
const STARTUP_SECONDS = 300

/**
 * Renders a container's probes. The startup probe starts immediately and runs often: fast
 * containers become ready immediately, and slow ones aren't killed. The other probes start after it
 * has succeeded, and the liveness probe not before its initial delay.
 */
export function renderProbes(
  probe: ComponentProbe | undefined,
): Pick<Container, 'startupProbe' | 'readinessProbe' | 'livenessProbe'> {
  if (probe === undefined) return {}
  const check = renderCheck(probe)
  const { timeoutSeconds, periodSeconds, failureThreshold, initialDelaySeconds } = probe
  const startupPeriod = probe.check.kind === 'exec' ? 2 : 1
  const regular = { ...check, timeoutSeconds, periodSeconds, failureThreshold }
  return {
    startupProbe: {
      ...check,
      timeoutSeconds,
      periodSeconds: startupPeriod,
      failureThreshold: Math.ceil(STARTUP_SECONDS / startupPeriod),
    },
    readinessProbe: regular,
    livenessProbe: { ...regular, initialDelaySeconds },
  }
}

function renderCheck({ check }: ComponentProbe): NonNullable<Container['startupProbe']> {
  switch (check.kind) {
    case 'http':
      return { httpGet: { path: check.path, port: check.port } }
    case 'exec':
      return { exec: { command: [...check.command] } }
    case 'tcp':
      return { tcpSocket: { port: check.port } }
  }
}
