import type { DeployerContext } from '../context.ts'
import { applyObject } from '../kubernetes/apply.ts'
import { inspectNamespace } from '../kubernetes/namespace.ts'
import { describeRefusal } from './apply-objects.ts'
import { wavesOf } from './apply-revision.ts'
import { composeNext } from './deploy.ts'
import type { PreparedDeploy } from './prepare.ts'
import { readSecrets } from './secrets.ts'

/**
 * Asks the cluster what it would refuse of a deploy, and changes nothing. Where the namespace doesn't exist there is
 * nothing to ask. `Kind/name: reason`, sorted.
 */
export async function dryRun(
  services: DeployerContext,
  prepared: PreparedDeploy,
  signal: AbortSignal,
): Promise<string[]> {
  const { kubernetes } = services
  const { live, namespace } = prepared
  if (live === undefined || (await inspectNamespace(kubernetes, namespace, live.id, signal)) !== 'ours') return []
  const contents = await readSecrets(kubernetes, namespace, live.id, signal)
  const { composed } = composeNext(services, prepared, contents)
  const secretValues = composed.secrets.flatMap(({ data }) => Object.values(data))
  const warnings = await Promise.all(
    wavesOf({ composed })
      .flat()
      .map(async ({ object }) => {
        try {
          await applyObject(kubernetes, object, { dryRun: true, signal })
          return []
        } catch (error) {
          return [`${object.kind}/${object.metadata.name}: ${describeRefusal(error, secretValues)}`]
        }
      }),
  )
  return warnings.flat().sort()
}
