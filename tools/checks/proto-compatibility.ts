import { globSync } from 'node:fs'
import { runTool } from './run-tool.ts'

/** Reports changes of the protos that break callers and consumers of an earlier release. */
export async function protoCompatibility(checkout: string): Promise<string | undefined> {
  const images = globSync('test/releases/*/protos.binpb', { cwd: checkout })
  if (images.length === 0) return 'test/releases has no protos'
  const problems: string[] = []
  for (const image of images) {
    const problem = await runTool(checkout, 'buf', ['breaking', '--against', image])
    if (problem !== undefined) problems.push(`since ${image}:`, problem)
  }
  return problems.length === 0 ? undefined : problems.join('\n')
}
