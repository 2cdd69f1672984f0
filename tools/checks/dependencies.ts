import { say } from '@slipway/local/progress'
import { toolResult } from './run-tool.ts'

/** Licenses that dependencies of the services may have, by SPDX identifier. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unlicense',
])

/** Licenses that only tools for development may have, which no image contains. */
const ALLOWED_IN_DEVELOPMENT = new Set([...ALLOWED, 'CC0-1.0', 'MPL-2.0', 'Python-2.0'])

/** The parts of a CycloneDX bill of materials that are read here. */
export interface BillOfMaterials {
  readonly components: readonly {
    readonly purl: string
    readonly licenses?: readonly (
      | { readonly license: { readonly id?: string; readonly name?: string } }
      | { readonly expression: string }
    )[]
  }[]
}

/** Reports dependencies whose license isn't allowed, from pnpm's bill of materials. */
export async function licenses(checkout: string): Promise<string | undefined> {
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6']
  const all = await toolResult(checkout, 'pnpm', sbom)
  if (!all.succeeded) return all.messages
  const shipped = await toolResult(checkout, 'pnpm', [...sbom, '--prod'])
  if (!shipped.succeeded) return shipped.messages
  const problems = [
    ...licenseProblems(JSON.parse(shipped.output) as BillOfMaterials, ALLOWED),
    ...licenseProblems(JSON.parse(all.output) as BillOfMaterials, ALLOWED_IN_DEVELOPMENT),
  ]
  return problems.length === 0 ? undefined : [...new Set(problems)].join('\n')
}

/**
 * Returns a problem for each component without a license, or with one that isn't allowed. In an
 * expression (`MIT OR GPL-3.0`), every license must be allowed.
 */
export function licenseProblems(
  { components }: BillOfMaterials,
  allowed: ReadonlySet<string>,
): readonly string[] {
  return components.flatMap(({ purl, licenses: found = [] }) => {
    const texts = found.map((entry) =>
      'expression' in entry ? entry.expression : (entry.license.id ?? entry.license.name ?? ''),
    )
    const names = texts.flatMap((text) => text.split(/\s+(?:AND|OR)\s+|[()]+/).filter(Boolean))
    if (names.length > 0 && names.every((name) => allowed.has(name))) return []
    return [`${purl}: license ${names.join(', ') || 'unknown'} is not allowed`]
  })
}

/**
 * Reports dependencies with known vulnerabilities of severity high or critical. Without a registry
 * that can be asked, it says so and passes, so that the other checks work offline.
 */
export async function vulnerabilities(checkout: string): Promise<string | undefined> {
  const audit = ['audit', '--audit-level', 'high', '--config.fetch-retries=0']
  if ((await toolResult(checkout, 'pnpm', audit)).succeeded) return undefined
  // Fails only if there are findings, not if the registry can't be asked.
  const again = await toolResult(checkout, 'pnpm', [...audit, '--ignore-registry-errors'])
  if (!again.succeeded) return again.messages
  say(`      not checked: ${again.messages.split('\n')[0] ?? ''}`)
  return undefined
}
