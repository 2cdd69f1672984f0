import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { ApiClient } from '../../kubernetes/client.ts'

interface PodStatus {
  readonly status: {
    readonly phase: string
    readonly containerStatuses?: readonly { readonly state: object }[]
  }
}

/**
 * Pods of the platform's images in a temporary namespace with Pod Security `restricted`. They don't
 * set a user: Kubernetes accepts them only if the image has a numeric one.
 */
export class ImagePods implements AsyncDisposable {
  readonly #client: ApiClient
  readonly #namespace: string

  private constructor(client: ApiClient, namespace: string) {
    this.#client = client
    this.#namespace = namespace
  }

  /** Creates the namespace. */
  static async open(client: ApiClient): Promise<ImagePods> {
    const name = `images-${randomBytes(4).toString('hex')}`
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await client.call('POST', '/api/v1/namespaces', { metadata: { name, labels } })
    return new ImagePods(client, name)
  }

  /** Starts an image with these variables, and waits until it runs. */
  async start(
    name: string,
    image: string,
    variables: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#client.call('POST', `/api/v1/namespaces/${this.#namespace}/pods`, {
      metadata: { name },
      spec: {
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          fsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            name,
            image,
            env: Object.entries(variables).map(([key, value]) => ({ name: key, value })),
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            volumeMounts: ['/tmp', '/data'].map((mountPath) => ({
              name: mountPath.slice(1),
              mountPath,
            })),
          },
        ],
        volumes: ['tmp', 'data'].map((volume) => ({ name: volume, emptyDir: {} })),
      },
    })
    await expect
      .poll(async () => {
        const { status } = (await this.#client.call('GET', this.#path(name))) as PodStatus
        return { phase: status.phase, state: status.containerStatuses?.[0]?.state }
      })
      .toMatchObject({ phase: 'Running' })
  }

  /** Gets a path of a pod as JSON, once it answers. */
  async get(pod: string, port: number, path: string): Promise<unknown> {
    let answer: unknown
    const proxied = `${this.#path(pod)}:${port}/proxy${path}`
    await expect
      .poll(async () => {
        answer = await this.#client.call('GET', proxied).catch((error: unknown) => String(error))
        return typeof answer
      })
      .toBe('object')
    return answer
  }

  /** Returns what a pod has logged. */
  async log(pod: string): Promise<string> {
    return String(await this.#client.call('GET', `${this.#path(pod)}/log`))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.call('DELETE', `/api/v1/namespaces/${this.#namespace}`)
  }

  #path(pod: string): string {
    return `/api/v1/namespaces/${this.#namespace}/pods/${pod}`
  }
}
