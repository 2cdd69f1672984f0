import { expect, it } from 'vitest'
import { directoryEntry, fileEntry, symlinkEntry } from '../image/entries.ts'
import { requireLinksInside, variablesOf } from './installed-entries.ts'

it.each(['/tmp/staging/x', '../../../x', '../../appendix/x'])('refuses a link to %s', (target) => {
  const link = symlinkEntry('app/node_modules/x', target)
  expect(() => requireLinksInside([directoryEntry('app'), link], 'app')).toThrow(
    `node_modules/x is a link to ${target}, outside of the project`,
  )
})

it('takes links within the project', () => {
  const links = ['../packages/x', './.pnpm/x', '..'].map((target, index) =>
    symlinkEntry(`app/node_modules/${index}`, target),
  )
  expect(() => requireLinksInside(links, 'app')).not.toThrow()
})

it("has the variables of Yarn's Plug'n'Play if there is one", () => {
  const pnp = fileEntry('app/.pnp.cjs', '')
  const loader = fileEntry('app/.pnp.loader.mjs', '')
  expect(variablesOf([], 'app')).toEqual({})
  expect(variablesOf([pnp], 'app')).toEqual({ NODE_OPTIONS: '--require /app/.pnp.cjs' })
  expect(variablesOf([pnp, loader], 'app')['NODE_OPTIONS']).toContain(
    '--experimental-loader file:///app/.pnp.loader.mjs',
  )
})
