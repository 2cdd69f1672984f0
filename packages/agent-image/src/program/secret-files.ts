import { open } from 'node:fs/promises'
import { basename } from 'node:path'

/** Files that say how to write a file of secrets, and have none. */
const EXAMPLE = /(^|[._-])(example|sample|template|dist|defaults?|schema)([._-]|$)/

/** What editors, browsers and people add to the name of a copy, in lower case. */
const COPY =
  /(?:~|#|\.(?:bak|backup|old|orig|save?|copy|tmp|sw[op])| \(\d+\)| copy(?: \d+)?)+(?=(?:\.\w+)?$)/

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
  /^\.?id_(rsa|dsa|ecdsa|ed25519)([_-][\w-]+)?$/,
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
const MAY_HOLD_KEY = /\.(pem|key|p8|json|crt|cer|asc)$|^[^.]*$/
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----/
const READ_BYTES = 64 << 10

/** Whether a folder of an agent, by its path there, holds credentials by its name. */
export function isFolderOfSecrets(path: string): boolean {
  return path
    .toLowerCase()
    .split('/')
    .some((part) => FOLDERS.has(part))
}

/** Whether a file of an agent, by its path there, holds credentials by its name. */
export function hasNameOfSecret(path: string): boolean {
  if (isFolderOfSecrets(path)) return true
  // Also on systems whose files have names in any case.
  const parts = path.toLowerCase().split('/')
  const name = parts.at(-1) ?? ''
  const original = originalName(name)
  const ends = [name, original, [...parts.slice(-2, -1), original].join('/')]
  return !EXAMPLE.test(name) && NAMES.some((pattern) => ends.some((end) => pattern.test(end)))
}

/** Whether a file has a private key. Reads only its start, and only of kinds that have keys. */
export async function holdsPrivateKey(file: string): Promise<boolean> {
  if (!MAY_HOLD_KEY.test(originalName(basename(file).toLowerCase()))) return false
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0)
  return PRIVATE_KEY.test(buffer.subarray(0, bytesRead).toString('latin1'))
}

/** The name of what a file may be a copy of: `.npmrc` for `.npmrc~`, `a.json` for `a (1).json`. */
function originalName(name: string): string {
  return name.replace(/^#/, '').replace(COPY, '')
}
