import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { homeFolder, isUsable } from '../user-folders.ts'

/** What programs need of the machine, and no credential. */
const PASSED: ReadonlySet<string> = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM TMPDIR TEMP TMP',
    'SYSTEMROOT APPDATA LOCALAPPDATA USERPROFILE PATHEXT COMSPEC',
    'CC CXX CFLAGS CXXFLAGS LDFLAGS MAKEFLAGS PYTHON PNPM_HOME COREPACK_HOME',
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS',
  ].flatMap((names) => names.split(' ')),
)
const PASSED_GROUP = /^(LC|XDG)_/

/** What a registry needs: settings of the managers, among them its login. */
const REGISTRY = /^(npm|pnpm)_config_|^(YARN|BUN)_(NPM_|CONFIG_)|^COREPACK_NPM_/i
const VARIABLE = /\$\{(\w+)/g

/**
 * Returns the environment of programs that install or build a project. They see no credential but
 * that of the registry: `settings` are the files of package managers, whose `${NAME}` is taken.
 */
export function buildEnvironment(
  environment: NodeJS.ProcessEnv,
  settings: readonly string[],
  first: readonly string[] = [],
): NodeJS.ProcessEnv {
  const home = homeFolder(environment)
  const files = [...settings, ...(home === undefined ? [] : [join(home, '.npmrc')])]
  const named = new Set(
    files
      .filter((file) => existsSync(file))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(VARIABLE)])
      .map(([, name]) => name),
  )
  const passed = Object.entries(environment)
    .filter(isUsable)
    .filter(
      ([name]) =>
        PASSED.has(name.toUpperCase()) ||
        PASSED_GROUP.test(name) ||
        REGISTRY.test(name) ||
        named.has(name),
    )
  const path = [...first, environment['PATH'] ?? '', dirname(process.execPath)]
  return { ...Object.fromEntries(passed), CI: 'true', PATH: path.join(delimiter) }
}
