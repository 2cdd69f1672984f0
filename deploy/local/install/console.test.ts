import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildConsole } from '@slipway/console/build'
import { applicationFiles, SERVICES } from '@slipway/images'
import { expect, test, vi } from 'vitest'

test('the gateway image lists the packages in the console, with their licenses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-console-'))
  // The libraries of a production build, as in an image.
  vi.stubEnv('NODE_ENV', 'production')
  try {
    await buildConsole(folder)
    const checkout = join(import.meta.dirname, '../../..')
    const { sources } = await applicationFiles(checkout, SERVICES.gateway.folder, [], folder)
    const bill = sources.find(({ path }) => path === 'app/sbom.cdx.json')
    const content = bill?.type === 'file' && Buffer.isBuffer(bill.content) ? bill.content : ''
    const { components } = JSON.parse(content.toString()) as {
      components: { purl: string; licenses: unknown }[]
    }
    const react = components.filter(({ purl }) => purl.startsWith('pkg:npm/react-dom@'))
    expect(react).toMatchObject([{ licenses: [{ expression: 'MIT' }] }])
    expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length)
    expect(sources.map(({ path }) => path)).toContain('app/apps/console/dist/licenses.json')
  } finally {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  }
})
