import { defaultTemplateSettings } from '../../src/index.ts'
import { LIMITS } from '../../src/parse/limits.ts'
import { ENTRY_LIMITS, TAG_LIMITS } from '../../src/read/values.ts'
import { EDITABLE_PATHS } from '../../src/template/editable.ts'
import { MAX_TEMPLATE_BYTES } from '../../src/template/template-size.ts'
import type { TemplateResources } from '../../src/template/template-types.ts'
import { code, codes, table, type Row } from './markdown.ts'

/** Returns a table of the values that a deploy uses when neither spec nor overrides set them. */
export function defaultTable(): string {
  const { defaults } = defaultTemplateSettings()
  return table(
    ['what', 'default'],
    [
      ['port of a container that has none', String(defaults.port)],
      ['replicas', '1'],
      ['CPU and memory', resourcesText(defaults.resources)],
      ['CPU and memory with a GPU', resourcesText(defaults.gpuResources)],
      ['CPU and memory of an ingestion', resourcesText(defaults.ingestionResources)],
      ['CPU and memory of the interfaces', resourcesText(defaults.messagingResources)],
      ['volume of a persistent entry', code(defaults.storageSize)],
      ['volume of a persistent model', code(defaults.modelStorageSize)],
      ['where a container has its volume', code('/data')],
      ['time before the first liveness check', code(defaults.initialDelay)],
    ],
  )
}

/** Returns a table of the paths that `overrides` may set. */
export function editableTable(): string {
  const fields = new Map<string, string[]>()
  for (const { path } of EDITABLE_PATHS) {
    const [, owner = '', field = ''] = /^(\w+(?:\.\*)?)\.(.+)$/.exec(path) ?? []
    fields.set(owner, [...(fields.get(owner) ?? []), field.replace('*', 'VARIABLE')])
  }
  return table(
    ['begins with', 'fields'],
    [...fields].map(([owner, names]) => [code(owner.replace('*', 'NAME')), codes(names)]),
  )
}

/** Returns a table of the bounds of a spec file. */
export function limitTable(): string {
  const rows: Row[] = [
    ['lines', LIMITS.lines],
    ['keys, values and indicators', LIMITS.structure],
    ['values, with aliases expanded', LIMITS.expandedNodes],
    ['tokens', LIMITS.lexemes],
    ['depth', LIMITS.depth],
    ['aliases', LIMITS.aliases],
    ['entries in a section; further ones are ignored', ENTRY_LIMITS.count],
    ['characters in the name of an entry', ENTRY_LIMITS.nameLength],
    ['characters in the name of a variable', ENTRY_LIMITS.variableLength],
    ['tags', TAG_LIMITS.count],
    ['characters in a tag', TAG_LIMITS.length],
    ['bytes of the deployment template', MAX_TEMPLATE_BYTES],
  ].map(([what, count]) => [String(what), Number(count).toLocaleString('en')])
  return table(['what', 'limit'], rows)
}

function resourcesText({ requests, limits }: TemplateResources): string {
  return [
    `requests ${code(requests.cpu)} and ${code(requests.memory)}`,
    `limits ${code(limits.cpu)} and ${code(limits.memory)}`,
  ].join(', ')
}
