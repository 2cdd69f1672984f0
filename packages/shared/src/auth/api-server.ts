import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Agent, request } from 'undici'

const TIMEOUT_MS = 5_000
/** Where Kubernetes, or a projected volume, puts a pod's `token` and `ca.crt`. */
const POD_CREDENTIALS = '/var/run/secrets/kubernetes.io/serviceaccount'

/** A Kubernetes API server, and a pod's credentials for it. */
export interface ApiServer {
  /** Its base URL. */
  readonly url: string
  /** A directory with `token` and `ca.crt`. */
  readonly credentials: string
}

/** The API server of the pod, whose host and port Kubernetes sets as environment variables. */
export function podApiServer(host: string, port: string): ApiServer {
  const authority = host.includes(':') ? `[${host}]` : host
  return { url: `https://${authority}:${port}`, credentials: POD_CREDENTIALS }
}

/**
 * Reads a JSON document of the API server. The credentials are read each time: they are renewed.
 * Throws an Error that says what to do about missing credentials or rights.
 */
export async function readFromApiServer(
  { url, credentials }: ApiServer,
  path: string,
): Promise<Record<string, unknown>> {
  const [token, ca] = await readCredentials(credentials)
  const agent = new Agent({ allowH2: false, connect: { ca } })
  try {
    const { statusCode, body } = await request(`${url}${path}`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await body.text()
    if (statusCode === 200) return JSON.parse(text) as Record<string, unknown>
    throw new Error(`${url}${path} responded with ${statusCode}${remedyFor(statusCode)}`)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw message.startsWith(url) ? cause : new Error(`${url}${path}: ${message}`, { cause })
  } finally {
    await agent.destroy()
  }
}

async function readCredentials(directory: string): Promise<string[]> {
  try {
    const names = ['token', 'ca.crt']
    const files = names.map((name) => readFile(join(directory, name), 'utf8'))
    return (await Promise.all(files)).map((text) => text.trim())
  } catch (cause) {
    const remedy = 'mount a projected volume with a ServiceAccount token and kube-root-ca.crt there'
    throw new Error(`${directory} must have the files token and ca.crt: ${remedy}`, { cause })
  }
}

function remedyFor(statusCode: number): string {
  if (statusCode === 401) return ': the token must be for the audience of the API server'
  return statusCode === 403
    ? ': bind the ClusterRole system:service-account-issuer-discovery to the ServiceAccount'
    : ''
}
