import { rounds } from '@slipway/testing/rounds'
import fc from 'fast-check'
import { parseSpec } from '@slipway/agent-spec'
import { expect, test } from 'vitest'
import { Document } from 'yaml'

import { readSpecFile } from './spec-builds.ts'

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 'a', 'a: b', '# x', 'two\nlines\n', ' ', '{', '-', '1.10', ''),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie('value'), { maxKeys: 3 }),
  ),
})).value

/** Files in many styles, with a build whose arguments an alias also names. */
const file = fc
  .record({
    args: fc.dictionary(fc.stringMatching(/^[A-Z]{1,5}$/), value, { minKeys: 1, maxKeys: 3 }),
    other: value,
    isFlow: fc.boolean(),
    indent: fc.integer({ min: 1, max: 4 }),
    comment: fc.constantFrom('', ' note'),
  })
  .map(({ args, other, isFlow, indent, comment }) => {
    const document = new Document({
      agent: { build: { context: '.', dockerfile: 'D', args }, port: 8080 },
      dev: { other, alias: null },
    })
    const shared = document.getIn(['agent', 'build', 'args'], true)
    document.setIn(['dev', 'alias'], document.createAlias(shared as never, 'shared'))
    const build = document.getIn(['agent', 'build'], true)
    Object.assign(build as object, { flow: isFlow, comment })
    return document.toString({ indent, lineWidth: 0 })
  })

test('a replaced build changes nothing else, in any style', () => {
  fc.assert(
    fc.property(file, (source) => {
      let before
      try {
        before = parseSpec(source).document
      } catch {
        return
      }
      const spec = readSpecFile(source)
      spec.builds[0]?.replaceBy('host/a:1')
      const { document } = parseSpec(spec.text())
      expect(document).toEqual({ ...before, agent: { image: 'host/a:1', port: 8080 } })
    }),
    { numRuns: rounds(300) },
  )
})
