import { open } from 'node:fs/promises'

/** Files that say how to write a file of secrets, and have none. */
const EXAMPLE = /(^|[._-])(example|sample|template|dist|defaults?|schema)([._-]|$)/

/** Names of files that hold credentials, in lower case, some with their folder. */
const NAMES: readonly RegExp[] = [
  // Environments.
  /^.*\.env$/,
  /^\.env[._-].*$/,
  /^\.envrc$/,
  /^\.?secrets?\.(ya?ml|toml|env|ini)$/,
  /^\.?secrets\.json$/,
  // Package managers and source code.
  /^\.npmrc$/,
  /^\.yarnrc(\.yml)?$/,
  /^\.pypirc$/,
  /^(\.pip\/)?pip\.(conf|ini)$/,
  /^\.?auth\.(json|toml)$/,
  /^[._]netrc$/,
  /^\.git-credentials$/,
  /^\.cargo\/credentials(\.toml)?$/,
  /^\.dockercfg$/,
  /^\.dockerconfigjson$/,
  /^\.docker\/config\.json$/,
  // Keys.
  /^id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)$/,
  /^.*\.(ppk|p12|pfx|jks|keystore|kdbx|ovpn)$/,
  /^(private|server|client|tls|master)\.key$/,
  /^.*[._-]rsa$/,
  // Clouds and servers.
  /^(.*[._-])?service[._-]?account([._-].*)?\.json$/,
  /^(.*[._-])?credentials(\.(json|ya?ml|toml|ini|csv))?$/,
  /^application_default_credentials\.json$/,
  /^client_secrets?([._-].*)?\.json$/,
  /^(.*\.)?kubeconfig(\.ya?ml)?$/,
  /^.*\.tfstate(\..*)?$/,
  /^.*\.tfvars(\.json)?$/,
  /^\.terraformrc$/,
  /^\.vault[_-](token|pass)$/,
  /^\.(boto|s3cfg|databrickscfg|sentryclirc|pgpass|my\.cnf|mylogin\.cnf|htpasswd)$/,
  // What shells remember.
  /^\.(bash|zsh|sh|psql|mysql|python|node_repl|redis)_?(cli_?)?history$/,
]
const FOLDERS: ReadonlySet<string> = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube'])

/** Text in files of these kinds shows whether they hold a private key. */
const MAY_HOLD_KEY = /\.(pem|key|p8|json|crt|cer)$/
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/
const READ_BYTES = 64 << 10

/** Whether a folder of an agent, by its path there, holds credentials as its name says. */
export function isFolderOfSecrets(path: string): boolean {
  return path
    .toLowerCase()
    .split('/')
    .some((part) => FOLDERS.has(part))
}

/** Whether a file of an agent, by its path there, holds credentials as its name says. */
export function hasNameOfSecret(path: string): boolean {
  if (isFolderOfSecrets(path)) return true
  // Also on systems whose files have names in any case.
  const parts = path.toLowerCase().split('/')
  const name = parts.at(-1) ?? ''
  const ends = [name, parts.slice(-2).join('/')]
  return !EXAMPLE.test(name) && NAMES.some((pattern) => ends.some((end) => pattern.test(end)))
}

/** Whether a file has a private key. Reads only its start, and only of kinds that have keys. */
export async function holdsPrivateKey(file: string): Promise<boolean> {
  if (!MAY_HOLD_KEY.test(file.toLowerCase())) return false
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0)
  return PRIVATE_KEY.test(buffer.subarray(0, bytesRead).toString('latin1'))
}
