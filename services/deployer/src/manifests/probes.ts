import type { ComponentProbe } from '@slipway/agent-spec'

import type { Container } from './types.ts'

/** A container that isn't up after this time is started again. */
const STARTUP_SECONDS = 300

/**
 * A startup probe looks at once and often, so that a quick container is ready at once and a slow
 * one isn't killed; the others begin when it has succeeded, and the liveness probe not before the
 * initial delay.
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
