import type { Schemas } from '@slipway/client'

import type { Style } from '../output/style.ts'

/** How the states of deployments and components look. */
export const STATE_STYLES: Readonly<Record<Schemas['DeploymentState'], Style>> = {
  ready: 'good',
  progressing: 'accent',
  degraded: 'warning',
  failed: 'bad',
  undeploying: 'faint',
  undeployed: 'faint',
}
