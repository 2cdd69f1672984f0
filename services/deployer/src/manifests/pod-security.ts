import type { ComponentUser } from '@slipway/agent-spec'

import type { Identity } from './identity.ts'
import type { ManifestSettings, PodSecurityLevel } from './settings.ts'
import type { Container, PodSpec } from './types.ts'

/** What images made for root do with root's rights, of what `baseline` allows. */
const ROOT_CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'KILL',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETUID',
]
const FIRST_ORDINARY_PORT = 1024

type PodSecurityContext = NonNullable<PodSpec['securityContext']>

/** What is asked of the pods of a deployment. */
export interface PodSecurity {
  readonly level: PodSecurityLevel
  /** User of pods whose image has no row in the provider table. */
  readonly uid: number
}

/**
 * What is asked of a deployment's pods: what the operator says of the agent goes before what they
 * say of its account.
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
 * Whom a pod runs as. Many images are made for root or for a user by name, so the ids are always
 * stated.
 */
export function podSecurityContext(
  {
    user,
    ports,
  }: { readonly user?: ComponentUser; readonly ports: readonly { readonly port: number }[] },
  { uid }: PodSecurity,
): PodSecurityContext {
  const runAsUser = user?.uid ?? uid
  // Images made for root listen on port 80. Which ports are root's is the pod's own affair;
  // restricted allows it.
  const hasLowPort = runAsUser !== 0 && ports.some(({ port }) => port < FIRST_ORDINARY_PORT)
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

/**
 * What a container may not do: all that Pod Security `restricted` forbids, but for root where an
 * operator allows it.
 */
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
