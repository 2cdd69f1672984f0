import { register, type CatalogAndGateways } from './catalog-and-gateways.ts'

const README_BYTES = 500 * 1024
const BUILDS = 15

/** The number of builds of a large agent. */
export const LARGE_BUILDS = BUILDS + 1
/** About how many bytes the response with all builds of a large agent has. */
export const LARGE_BYTES = README_BYTES * BUILDS

/**
 * Registers and publishes the builds of an agent whose response is nearly as large as it can be.
 * Returns its path below `/api/v1`.
 */
export async function registerLarge(system: CatalogAndGateways, as: string): Promise<string> {
  const account = await register(system, 0, { as, name: 'large', buildId: 'b', version: '1.0.0' })
  const path = `/agents/${account}/large`
  for (let build = 1; build <= BUILDS; build += 1) {
    const body = {
      build_id: `b${build}`,
      registry: 'oci://registry.example/x',
      spec_content: 'spec: astro/v1\nname: large\n',
      readme: 'x'.repeat(README_BYTES),
    }
    const version = { build_id: body.build_id, version: `1.0.${build}` }
    for (const [route, sent] of [
      ['register', body],
      ['publish', version],
    ] as const) {
      const { status, text } = await system.send(0, 'POST', `${path}/${route}`, { as, body: sent })
      if (status !== 201) throw new Error(`the request returned ${status}: ${text}`)
    }
  }
  return path
}
