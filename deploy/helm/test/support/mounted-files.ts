import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ensureCertificates } from '@slipway/local/certificates'

import type { Container, Pod } from './objects.ts'

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
 * Writes the files of the Secrets that a container mounts below a new directory, which takes the
 * place of `/`, and returns it.
 */
export function mountSecrets(
  pod: Pod,
  container: Container,
  directory: string,
  files: Readonly<Record<string, string>>,
): string {
  const root = join(directory, randomUUID())
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const secret = pod.volumes.find((volume) => volume.name === name)?.secret
    if (secret === undefined) continue
    const paths = secret.items?.map(({ path }) => path) ?? Object.keys(files)
    mkdirSync(join(root, mountPath), { recursive: true })
    for (const path of paths) {
      const content = files[path]
      if (content === undefined) throw new Error(`a test needs content for the file ${path}`)
      writeFileSync(join(root, mountPath, path), content)
    }
  }
  return root
}
