import type { ComponentUser } from '@slipway/agent-spec'

import type { Identity } from './identity.ts'
import type { ManifestSettings, PodSecurityLevel } from './settings.ts'
import type { Container, PodSpec } from './types.ts'

/** The capabilities allowed by `baseline` that images made for root need. */
const ROOT_CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'KILL',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETUID',
]
const FIRST_UNPRIVILEGED_PORT = 1024

type PodSecurityContext = NonNullable<PodSpec['securityContext']>

/** The security settings of a deployment's pods. */
export interface PodSecurity {
  readonly level: PodSecurityLevel
  /** User id of pods whose image isn't in the provider table. */
  readonly uid: number
}

/**
 * Returns the security settings of a deployment's pods. An exception for the agent overrides that
 * of its account.
 */
export function podSecurityOf(
  { accountId, agent }: Pick<Identity, 'accountId' | 'agent'>,
  { podSecurity, podUid, podSecurityExceptions }: ManifestSettings,
): PodSecurity {
  const own = podSecurityExceptions.filter(({ account }) => account === accountId)
  const chosen = [
    ...own.filter((each) => each.agent === agent),
    ...own.filter((each) => each.agent === undefined),
  ]
  return {
    level: chosen.find(({ level }) => level !== undefined)?.level ?? podSecurity,
    uid: chosen.find(({ uid }) => uid !== undefined)?.uid ?? podUid,
  }
}

/**
 * Renders a pod's security context. The ids are always set, because many images run as root or name
 * their user, which `runAsNonRoot` can't check.
 */
export function podSecurityContext(
  {
    user,
    ports,
  }: { readonly user?: ComponentUser; readonly ports: readonly { readonly port: number }[] },
  { uid }: PodSecurity,
): PodSecurityContext {
  const runAsUser = user?.uid ?? uid
  // Images made for root may listen on port 80. `restricted` allows this sysctl, which opens low
  // ports to all users of the pod.
  const hasLowPort = runAsUser !== 0 && ports.some(({ port }) => port < FIRST_UNPRIVILEGED_PORT)
  return {
    runAsNonRoot: runAsUser !== 0,
    runAsUser,
    runAsGroup: user?.gid ?? uid,
    fsGroup: user?.fsGroup ?? uid,
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile: { type: 'RuntimeDefault' },
    ...(hasLowPort && { sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }] }),
  }
}

/** Renders a container's security context: `restricted`, or root where an operator allows it. */
export function containerSecurityContext(
  { runAsUser }: PodSecurityContext,
  { readOnlyRootFilesystem }: Pick<ManifestSettings, 'readOnlyRootFilesystem'>,
): NonNullable<Container['securityContext']> {
  return {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'], ...(runAsUser === 0 && { add: ROOT_CAPABILITIES }) },
    readOnlyRootFilesystem,
  }
}
