import type { OxlintOverride } from 'oxlint'

/** An import that is not allowed, as a regular expression over what the import names. */
export interface Ban {
  readonly regex: string
  readonly message: string
}

/** Bans imports from these files. The last entry that matches a file replaces those before it. */
export function ban(
  files: string | readonly string[],
  ...patterns: readonly Ban[]
): OxlintOverride {
  return {
    files: [files].flat(),
    rules: { 'no-restricted-imports': ['error', { patterns: [...patterns] }] },
  }
}

/** Bans imports of sibling folders with these names. Entries like `main.ts` are files. */
export function folders(names: readonly string[], message: string): Ban {
  const targets = names.map((name) =>
    name.endsWith('.ts') ? name.replace('.', '\\.') : `${name}/`,
  )
  return { regex: `^(\\.\\./)+(${targets.join('|')})`, message }
}

/**
 * Bans imports upward in each folder of `root`. `order` has the folders from the highest to the
 * lowest, as `a > b > c`.
 */
export function layers(root: string, order: string, ...bans: readonly Ban[]): OxlintOverride[] {
  const names = order.split(' > ')
  const message = `Layers: ${order}. Each uses those to its right.`
  return names
    .slice(1)
    .map((folder, index) =>
      ban(`${root}/${folder}/**`, ...bans, folders(names.slice(0, index + 1), message)),
    )
}
