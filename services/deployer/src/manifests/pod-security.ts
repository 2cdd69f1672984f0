import type { ComponentUser } from '@slipway/spec'

import type { ManifestSettings } from './settings.ts'
import type { Container, PodSpec } from './types.ts'

/** Whom a pod runs as. Many images are made for root or for a user by name, so the ids are always stated. */
export function podSecurityContext(
  user: ComponentUser | undefined,
  settings: ManifestSettings,
): NonNullable<PodSpec['securityContext']> {
  const { podUid } = settings
  return {
    runAsNonRoot: true,
    runAsUser: user?.uid ?? podUid,
    runAsGroup: user?.gid ?? podUid,
    fsGroup: user?.fsGroup ?? podUid,
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile: { type: 'RuntimeDefault' },
  }
}

/** What a container may not do: all that Pod Security `restricted` forbids. */
export function containerSecurityContext(settings: ManifestSettings): NonNullable<Container['securityContext']> {
  return {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: settings.readOnlyRootFilesystem,
  }
}
