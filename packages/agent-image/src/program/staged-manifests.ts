import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'
import type { NodeProject, WorkspacePackage } from './node-project.ts'
import { hasInstallScripts, INSTALL_SCRIPTS } from './project-build.ts'

/** The texts of files that have been changed, by file. */
export type ChangedFiles = ReadonlyMap<string, string>

/** Removes the scripts from packages that managers would run without what development needs. */
export async function withoutInstallScripts(
  staged: string,
  packages: readonly WorkspacePackage[],
): Promise<ChangedFiles> {
  const having = packages.filter(({ manifest }) => hasInstallScripts(manifest))
  return await changed(staged, having, ({ scripts = {}, ...others }) => {
    const kept = Object.entries(scripts).filter(([name]) => !INSTALL_SCRIPTS.includes(name))
    return { ...others, scripts: Object.fromEntries(kept) }
  })
}

/**
 * Removes what development needs from a project, for a manager that would install it, and that then
 * changes the lockfile.
 */
export async function withoutDevelopment(
  staged: string,
  { packages, lockfile }: NodeProject,
): Promise<ChangedFiles> {
  const all = [...packages.values()]
  const without = (manifest: Manifest) => ({ ...manifest, devDependencies: undefined })
  const before = await changed(staged, all, without)
  if (lockfile === undefined) return before
  const file = join(staged, lockfile)
  return new Map([...before, [file, await readFile(file, 'utf8')]])
}

/** Writes files as they were before. */
export async function restore(files: ChangedFiles): Promise<void> {
  for (const [file, text] of files) await writeFile(file, text)
}

async function changed(
  staged: string,
  packages: readonly WorkspacePackage[],
  change: (manifest: Manifest) => object,
): Promise<ChangedFiles> {
  const before = new Map<string, string>()
  for (const { place } of packages) {
    const file = join(staged, place, 'package.json')
    if (!existsSync(file)) continue
    const text = await readFile(file, 'utf8')
    before.set(file, text)
    await writeFile(
      file,
      JSON.stringify(change(JSON.parse(text.replace(/^\uFEFF/, '')) as Manifest)),
    )
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
