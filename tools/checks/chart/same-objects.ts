import { isDeepStrictEqual } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { KUBERNETES_VERSIONS } from '@slipway/local/install/chart-schemas'
import { program, render, valuesFiles } from '@slipway/helm/chart'

/** Reports where Helm 3 and Helm 4 render different objects from the same values. */
export async function sameObjects(checkout: string): Promise<string | undefined> {
  const [helm, helm3] = await Promise.all([program(checkout, 'helm'), program(checkout, 'helm3')])
  const version = KUBERNETES_VERSIONS.at(-1) ?? ''
  const problems: string[] = []
  for (const values of valuesFiles(checkout)) {
    const [new_, old] = await Promise.all([
      render(helm, checkout, values, version),
      render(helm3, checkout, values, version),
    ])
    const found =
      'problem' in new_
        ? [`Helm 4: ${new_.problem}`]
        : 'problem' in old
          ? [`Helm 3: ${old.problem}`]
          : differences(new_.text, old.text)
    problems.push(...found.map((problem) => `${values}: ${problem}`))
  }
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** Returns what differs between two renderings, whatever the order of their objects. */
export function differences(helm4: string, helm3: string): string[] {
  const [left, right] = [objectsIn(helm4), objectsIn(helm3)]
  const names = [...new Set([...left.keys(), ...right.keys()])].toSorted()
  return names.flatMap((name) => {
    if (!left.has(name)) return [`only Helm 3 renders ${name}`]
    if (!right.has(name)) return [`only Helm 4 renders ${name}`]
    const isSame = isDeepStrictEqual(left.get(name), right.get(name))
    return isSame ? [] : [`Helm 3 renders another ${name}`]
  })
}

/** Returns the objects by kind and name; two with the same name are a list. */
function objectsIn(text: string): Map<string, unknown[]> {
  const objects = parseAllDocuments(text).map((document) => document.toJS() as Named | null)
  return Map.groupBy(
    objects.filter((object) => object !== null),
    ({ kind, metadata: { namespace, name } }) =>
      `${kind}/${[namespace, name].filter((part) => part !== undefined).join('/')}`,
  )
}

interface Named {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}
