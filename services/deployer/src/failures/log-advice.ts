import type { V1Pod } from '@kubernetes/client-node'

import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import { readObject } from '../kubernetes/read.ts'
import type { Evidence } from './evidence.ts'
import { missedVariableIn } from './missed-variable.ts'
import { unreachableIn } from './unreachable.ts'

/** What a log says about something else than the program, and what to do about it. */
export interface LogAdvice {
  readonly finding: string
  readonly step: string
}

/** Reasons that a network policy can have, too. */
const SILENT = /did not answer|no network/
const POLICY =
  ' Agents reach their own components and the internet, but no private addresses unless the ' +
  'operator allows it.'

/** Finds services that a program could not reach, and variables that it has missed. */
export async function adviceIn(
  logLines: readonly string[],
  evidence: Evidence,
  pod: V1Pod | undefined,
): Promise<LogAdvice[]> {
  const variable = missedVariableIn(logLines)
  const missed =
    variable === undefined || pod === undefined || (await hasVariable(evidence, pod, variable))
      ? undefined
      : variable
  const unreachable = unreachableIn(logLines)
  return [
    ...(missed === undefined ? [] : [variableAdvice(missed, evidence)]),
    ...(unreachable === undefined ? [] : [serviceAdvice(unreachable)]),
  ]
}

function variableAdvice(name: string, { template }: Evidence): LogAdvice {
  const finding = `the log asks for the variable ${name}`
  const isDeclared = template !== undefined && Object.hasOwn(template.credentials, name)
  return {
    finding,
    step: isDeclared
      ? `The spec declares ${name}, but it has no value: deploy again with one in ` +
        '`user_credentials`.'
      : `The spec does not declare ${name}: add it to \`environment\`, or to \`inputs\` with ` +
        '`secret: true` if it is a secret, and register a build with it.',
  }
}

function serviceAdvice({ address, why }: NonNullable<ReturnType<typeof unreachableIn>>): LogAdvice {
  const name = address === '' ? 'a service' : address
  const because = why === '' ? '' : `, because ${why}`
  return {
    finding: `the log says that the program can't reach ${name}${because}`,
    step:
      `Start ${address === '' ? 'it' : name}, or correct its address in the spec or in ` +
      `\`user_credentials\`.${SILENT.test(why) ? POLICY : ''}`,
  }
}

/** Whether the main container of a pod gets a variable. */
async function hasVariable(
  { context: { kubernetes }, deployment, signal }: Evidence,
  { spec }: V1Pod,
  name: string,
): Promise<boolean> {
  const { env = [], envFrom = [] } = spec?.containers[0] ?? {}
  if (env.some((each) => each.name === name)) return true
  const config = envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? [])[0]
  if (config === undefined) return false
  const key = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: deployment.k8s_namespace,
    name: config,
  }
  const found = await readObject<KubernetesObject & { data?: Record<string, string> }>(
    kubernetes,
    key,
    signal,
  )
  return Object.hasOwn(found?.data ?? {}, name)
}
