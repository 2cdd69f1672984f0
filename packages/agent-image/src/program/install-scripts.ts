import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkspacePackage } from './node-project.ts'
import { hasInstallScripts, INSTALL_SCRIPTS } from './project-build.ts'

/**
 * Removes the scripts from packages that managers would run without what development needs.
 * Returns the texts of the files before.
 */
export async function withoutInstallScripts(
  staged: string,
  packages: readonly WorkspacePackage[],
): Promise<Map<string, string>> {
  const before = new Map<string, string>()
  for (const { place, manifest } of packages) {
    if (!hasInstallScripts(manifest)) continue
    const file = join(staged, place, 'package.json')
    const text = await readFile(file, 'utf8')
    const { scripts, ...others } = JSON.parse(text.replace(/^\uFEFF/, '')) as {
      scripts: Record<string, string>
    }
    before.set(file, text)
    const kept = Object.entries(scripts).filter(([name]) => !INSTALL_SCRIPTS.includes(name))
    await writeFile(file, JSON.stringify({ ...others, scripts: Object.fromEntries(kept) }))
  }
  return before
}

/**
 * Returns the install scripts of packages whose programs are installed for production, so that the
 * manager would run them. Others, as `husky`, have run with what development needs.
 */
export function scriptsOfProduction(
  staged: string,
  packages: readonly WorkspacePackage[],
): { readonly place: string; readonly name: string }[] {
  return packages.flatMap(({ place, manifest }) => {
    const isInstalled = (program: string): boolean =>
      [place, ''].some((each) => existsSync(join(staged, each, 'node_modules/.bin', program)))
    return INSTALL_SCRIPTS.filter((name) => {
      const script = manifest.scripts?.[name]
      return script !== undefined && programsOf(script).every(isInstalled)
    }).map((name) => ({ place, name }))
  })
}

/** The programs that a script starts, one after the other. */
function programsOf(script: string): string[] {
  const first = /^\s*(?:\w+=\S*\s+)*(\S*)/
  return script.split(/&&|;/).map((command) => first.exec(command)?.[1] ?? '')
}
