import type { Manifest } from './program/manifest.ts'

/** A component of a software bill of materials, as CycloneDX defines it. */
export interface Component {
  readonly type: 'application' | 'library' | 'platform'
  readonly 'bom-ref': string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly purl?: string
  readonly cpe?: string
  readonly licenses?: readonly (
    | { readonly expression: string }
    | { readonly license: { readonly name: string } }
  )[]
}

/** Which component needs which others, by `bom-ref`. */
export type Relations = Map<string, Set<string>>

/** Where an image has its software bill of materials. */
export const SBOM_PATH = 'app/sbom.cdx.json'

/** Returns the component of an npm package, or of a package of the workspace. */
export function npmComponent(manifest: Manifest): Component {
  const { name, version } = manifest
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name: short ?? name,
    version,
    ...licensesOf(manifest.license),
    purl,
  }
}

/** Returns the component of a program that an image runs. */
export function applicationComponent(name: string, version: string): Component {
  return { type: 'application', 'bom-ref': name, name, version }
}

/** Returns the component of the running Node.js, which is the one that images get. */
export function nodeComponent(): Component {
  const { node } = process.versions
  return {
    type: 'platform',
    'bom-ref': `pkg:generic/node@${node}`,
    name: 'node',
    version: node,
    licenses: [{ expression: 'MIT' }],
    cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node@${node}`,
  }
}

/** Returns a license. Most packages have an SPDX expression, old ones an object or free text. */
export function licensesOf(license: unknown): Pick<Component, 'licenses'> {
  const text =
    typeof license === 'object' && license !== null && 'type' in license ? license.type : license
  if (typeof text !== 'string' || text === '') return {}
  const isExpression = /^[\w.+() -]+$/.test(text) && !/^(SEE |UNLICENSED)/.test(text)
  return { licenses: [isExpression ? { expression: text } : { license: { name: text } }] }
}

/** Notes that one component needs another. */
export function relate(relations: Relations, from: Component, to: Component): void {
  const known = relations.get(from['bom-ref'])
  if (known) known.add(to['bom-ref'])
  else relations.set(from['bom-ref'], new Set([to['bom-ref']]))
}

/**
 * Returns a software bill of materials in CycloneDX's JSON. It has no time and no serial number, so
 * equal components give equal bytes.
 */
export function sbom(
  subject: Component,
  components: readonly Component[],
  relations: Relations = new Map(),
): string {
  const byRef = new Map(components.map((component) => [component['bom-ref'], component]))
  byRef.delete(subject['bom-ref'])
  const sorted = [...byRef.values()].toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...subject, type: 'application' } },
    components: sorted,
    dependencies: [...relations]
      .map(([ref, needed]) => ({ ref, dependsOn: [...needed].toSorted() }))
      .toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}
