import { readFileSync } from 'node:fs'

import { cluster } from './cluster.ts'

/** A pod that runs a program of `programs/`, within what the namespaces of agents accept. */
export interface ProbePod {
  readonly namespace: string
  readonly name: string
  /** An image with Node. */
  readonly image: string
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
}

/** Creates the pod, and returns its path in the API. */
export async function createProbePod(pod: ProbePod): Promise<string> {
  const { namespace, name, image, program, env, labels = {} } = pod
  const script = readFileSync(new URL(`programs/${program}`, import.meta.url), 'utf8')
  const pods = `/api/v1/namespaces/${namespace}/pods`
  await cluster.call('POST', pods, {
    metadata: { name, labels },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 1,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'probe',
          image,
          command: ['node', '--input-type=module-typescript', '-e', script],
          env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
          resources: {
            requests: { cpu: '10m', memory: '64Mi', 'ephemeral-storage': '10Mi' },
            limits: { cpu: '1', memory: '128Mi', 'ephemeral-storage': '100Mi' },
          },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  })
  return `${pods}/${name}`
}
