import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'
import { hasNameOfSecret, holdsPrivateKey } from './secret-files.ts'

test.each([
  '.env',
  '.ENV',
  'config/.env.production',
  '.env.local',
  'prod.env',
  '.envrc',
  '.npmrc',
  'lib/.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  'pip.conf',
  '.netrc',
  '.git-credentials',
  '.docker/config.json',
  '.ssh/config',
  '.aws/config',
  'id_rsa',
  'keys/ID_ED25519',
  'github_rsa',
  'server.key',
  'cert.p12',
  'release.keystore',
  'service-account.json',
  'service_account_prod.json',
  'my-serviceAccount.json',
  'credentials.json',
  'credentials',
  'client_secret_12.apps.googleusercontent.com.json',
  'kubeconfig',
  'prod.kubeconfig',
  'terraform.tfstate',
  'terraform.tfstate.backup',
  'prod.tfvars',
  '.streamlit/secrets.toml',
  '.bash_history',
  '.npmrc~',
  '.npmrc.bak',
  '.env~',
  '#.env#',
  '..env.swp',
  '.netrc.old',
  '.docker/config.json.bak',
  'credentials.json.orig',
  'credentials (1).json',
  'service-account (2).json',
  'client_secret copy.json',
  'id_rsa.bak',
  'id_ed25519_work',
])('keeps %s out of images', (path) => expect(hasNameOfSecret(path)).toBe(true))

test.each([
  '.env.example',
  '.env.sample',
  '.env.template',
  'example.env',
  'credentials.example.json',
  'service-account.sample.json',
  'env',
  'env/__init__.py',
  'env.py',
  'environment.ts',
  'src/credentials.ts',
  'credentials.py',
  'config/env.json',
  'id_rsa.pub',
  'secret.py',
  'ca.pem',
  'auth.ts',
  'config.json',
  'keys.json',
  'package.json',
  'backup.py',
  'config.json.bak',
  'notes (1).md',
  'id_rsa_work.pub',
])('lets %s into images', (path) => expect(hasNameOfSecret(path)).toBe(false))

test.each([
  ['deploy_key', 'OPENSSH PRIVATE KEY', true],
  ['signing.asc', 'PGP PRIVATE KEY BLOCK', true],
  ['server.pem.bak', 'RSA PRIVATE KEY', true],
  ['server.pem', 'CERTIFICATE', false],
  ['keys.md', 'PRIVATE KEY', false],
])('whether %s with %s holds a private key', async (name, kind, holds) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'slipway-keys-'))
  const file = join(folder.path, name)
  await writeFile(file, `-----BEGIN ${kind}-----\nMIIE\n-----END ${kind}-----\n`)
  expect(await holdsPrivateKey(file)).toBe(holds)
})
