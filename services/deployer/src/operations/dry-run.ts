import { describeRefusal } from '../apply/apply-objects.ts'
import { wavesOf } from '../apply/apply-revision.ts'
import { growClaims } from '../apply/grow-claims.ts'
import type { DeployerContext } from '../context.ts'
import { readSecretsIfAllowed } from '../credentials/read-secrets.ts'
import { secretValuesOf } from '../credentials/secret-values.ts'
import { errorsOf } from '../domain/states.ts'
import { applyObject } from '../kubernetes/apply.ts'
import { inspectNamespace } from '../kubernetes/namespace.ts'
import { doEach } from '../kubernetes/settle-each.ts'
import { composeNext, storedSecretsOf } from '../plan/compose-next.ts'
import type { PreparedDeploy } from '../plan/prepare-deploy.ts'
import { readStoredSecrets } from '../plan/stored-secrets.ts'

/**
 * Runs a deploy as a server-side dry run. Returns the objects that the cluster would reject, as
 * `Kind/name: reason`, sorted. Returns none when the namespace doesn't exist yet, because a dry run
 * isn't possible then.
 */
export async function dryRun(
  context: DeployerContext,
  prepared: PreparedDeploy,
  signal: AbortSignal,
): Promise<string[]> {
  const { kubernetes, config } = context
  const { live, namespace } = prepared
  if (live === undefined) return []
  const owner = { release: config.cluster.release, deploymentId: live.id }
  if ((await inspectNamespace(kubernetes, namespace, owner, signal)) !== 'ours') return []
  const present = await readSecretsIfAllowed(kubernetes, namespace, live.id, signal)
  // The deployer's permissions in the namespace were removed. A deploy restores them; a dry run
  // can't.
  if (present === undefined) return []
  const contents = await readStoredSecrets(
    context,
    storedSecretsOf(prepared, live, signal),
    present,
  )
  const { composed } = composeNext(context, prepared, contents)
  const objects = wavesOf({ composed }).flat()
  const secretValues = secretValuesOf(objects)
  const warnings = await doEach(objects, async ({ object }) => {
    try {
      await applyObject(kubernetes, object, { dryRun: true, signal })
      return []
    } catch (error) {
      return [`${object.kind}/${object.metadata.name}: ${describeRefusal(error, secretValues)}`]
    }
  })
  const claims = await growClaims(context, composed, { signal, dryRun: true })
  return [...warnings.flat(), ...errorsOf(claims.results)].sort()
}
