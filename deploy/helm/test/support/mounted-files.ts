import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ensureCertificates } from '@slipway/local/kubernetes/control-plane/certificates'

import type { ChartObject, Container, Pod, Volume } from './objects.ts'

const CREDENTIALS = '-----BEGIN NATS USER JWT-----\nx\n-----BEGIN USER NKEY SEED-----\nx\n'

/** Creates the files that Secrets would have, by path. `directory` gets a certificate authority. */
export async function secretFiles(directory: string): Promise<Readonly<Record<string, string>>> {
  const names = { commonName: 'test', dnsNames: ['*.platform.svc'] }
  await ensureCertificates(directory, [{ name: 'tls', ...names }])
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  return {
    'ca.crt': read('ca.crt'),
    'tls.crt': read('tls.crt'),
    'tls.key': read('tls.key'),
    'nats.creds': CREDENTIALS,
    '.dockerconfigjson': '{"auths":{}}',
  }
}

/**
 * Writes the files of the Secrets and config maps that a container mounts below a new directory,
 * which takes the place of `/`, and returns it. Secrets have `files`, by path.
 */
export function mountFiles(
  objects: readonly ChartObject[],
  { pod, container }: { readonly pod: Pod; readonly container: Container },
  directory: string,
  files: Readonly<Record<string, string>>,
): string {
  const root = join(directory, randomUUID())
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const volume = pod.volumes.find((each) => each.name === name)
    const content = volume && contentOf(volume, objects, files)
    if (content === undefined) continue
    mkdirSync(join(root, mountPath), { recursive: true })
    for (const [path, text] of Object.entries(content)) {
      if (text === undefined) throw new Error(`a test needs content for the file ${path}`)
      writeFileSync(join(root, mountPath, path), text)
    }
  }
  return root
}

function contentOf(
  { secret, configMap }: Volume,
  objects: readonly ChartObject[],
  files: Readonly<Record<string, string>>,
): Readonly<Record<string, string | undefined>> | undefined {
  if (secret?.items !== undefined)
    return Object.fromEntries(secret.items.map(({ path }) => [path, files[path]]))
  if (secret !== undefined) return files
  const made = objects.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMap?.name,
  )
  return made?.data
}
