import { durationSeconds } from '../grammar/duration.ts'
import type { SelfHostedProvider } from '../providers.ts'
import type {
  TemplateCheck,
  TemplateHealthcheck,
  TemplateStorage,
} from '../template/template-types.ts'
import type { ComponentCheck, ComponentProbe, ComponentStorage } from './component-types.ts'

/** Converts a template's healthcheck of a port to Kubernetes units. */
export function probeOf(
  check: TemplateHealthcheck | undefined,
  port: number,
): ComponentProbe | undefined {
  if (!check) return undefined
  const { liveness } = check
  const initialDelaySeconds = durationSeconds(check.initial_delay) ?? 10
  return {
    ...checkOf(check, port),
    ...(liveness && { liveness: { ...checkOf(liveness, port), initialDelaySeconds } }),
  }
}

function checkOf(check: TemplateCheck, port: number): ComponentCheck {
  return {
    check: probeCheck(check, port),
    periodSeconds: durationSeconds(check.interval) ?? 10,
    timeoutSeconds: durationSeconds(check.timeout) ?? 5,
    failureThreshold: check.retries,
  }
}

function probeCheck({ path, command }: TemplateCheck, port: number): ComponentProbe['check'] {
  if (path !== undefined) return { kind: 'http', path, port }
  return command === undefined ? { kind: 'tcp', port } : { kind: 'exec', command }
}

/** Returns the ports that a component listens on; its `_PORT` variable contains the first. */
export function portsOf(
  provider: SelfHostedProvider | undefined,
  port: number,
): { name: string; port: number }[] {
  return provider ? provider.ports.map((row) => ({ ...row })) : [{ name: 'http', port }]
}

/** Converts a template's volume. */
export function storageOf({
  size,
  class: storageClass,
  access_mode,
  mount_path,
}: TemplateStorage): ComponentStorage {
  return {
    size,
    ...(storageClass === undefined ? {} : { storageClass }),
    accessMode: access_mode,
    mountPath: mount_path,
  }
}
