import type { Component } from '@slipway/agent-image/parts'

/** Returns the modules that a go.mod requires, with their versions. */
export function goComponents(goMod: string): Component[] {
  const lines = goMod.matchAll(/^(?:require)?[ \t]+(\S+\.\S+\/\S+) (v\S+)/gm)
  return [...lines].map(([, name = '', version = '']) => {
    const purl = `pkg:golang/${name}@${encodeURIComponent(version)}`
    return { type: 'library', 'bom-ref': purl, name, version, purl }
  })
}
