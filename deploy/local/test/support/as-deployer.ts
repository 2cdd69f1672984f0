import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { buildTool } from '../../install/toolchain.ts'
import { tryCommand } from '../../process/run-command.ts'
import { stackDirectories } from '../../stack/stack.ts'

/** The label of the stack's release, and what every namespace of the deployer must have. */
export const RELEASE_LABEL = 'slipway.dev/release'
export const RELEASE = { [RELEASE_LABEL]: 'slipway-system-slipway' }
export const MANAGED = { 'app.kubernetes.io/managed-by': 'slipway' }
export const LEVEL = 'pod-security.kubernetes.io/enforce'
export const OWN_LABELS = { ...MANAGED, ...RELEASE, [LEVEL]: 'restricted' }

/** A new name as the deployer makes them. */
export const namespaceName = (agent: string) => `agent-${agent}-${randomBytes(5).toString('hex')}`

/** Runs kubectl with the deployer's token. The result begins with `ok: ` or `refused: `. */
export async function kubectl(args: readonly string[], input?: unknown): Promise<string> {
  const programs = await buildTool(stackDirectories(), 'kubernetes', () => undefined)
  const text = input === undefined ? undefined : JSON.stringify(input)
  const access = ['--kubeconfig', fromStack('DEPLOYER_KUBECONFIG')]
  const result = await tryCommand(join(programs, 'kubectl'), [...access, ...args], text)
  return result.code === 0 ? `ok: ${result.output.trim()}` : `refused: ${result.errors.trim()}`
}

/** Applies an object with the deployer's token. */
export async function apply(object: unknown, namespace = 'default'): Promise<string> {
  const how = ['apply', '--server-side', '--field-manager=test', '-f', '-']
  return await kubectl(['--namespace', namespace, ...how], object)
}

/** A namespace with these labels. */
export function namespaceNamed(name: string, labels?: Record<string, string>) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels && { labels }) } }
}

/** A binding of the deployer's role to itself, or with other names. */
export function binding(change: { readonly role?: string; readonly subject?: string } = {}) {
  const { role = 'slipway-deployer-workloads', subject = 'slipway-deployer' } = change
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: `binding-of-${role}-to-${subject}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: subject, namespace: 'slipway-system' }],
  }
}
