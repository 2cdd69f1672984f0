import { expect, test } from 'vitest'
import { wording } from './wording.ts'

const report = (line: string) => wording({ path: 'a.md', lines: ['', line] })

test('reports where the word is and what to write', () => {
  const verb = 'Mends'
  expect(report(`${verb} the file.`)).toEqual([`a.md:2: "${verb}": write "fix", "repair"`])
})

test.each([
  ['a word inside another', 'Hold the amended, foretold ideas.'],
  ['a quoted word', '`told`, "anew"'],
  ['"there is no"', 'There is no default.'],
  ['a question of which', 'It lists which accounts use the images of which registries.'],
  ['"so many" with a result', 'It lasts so long as the key is valid.'],
  ['"is no longer"', 'The revision is no longer kept and is no more than a name.'],
])('accepts %s', (_what, line) => {
  expect(report(line)).toEqual([])
})

test.each([
  ['a part before its whole', `${'Of'} a long text, the start is kept.`],
  ['a number that no one names', `At most ${'so'} many are kept.`],
  ['a relative clause of a part', `The texts, ${'of'} which one is kept.`],
  ['a source in a clause', `It is kept, ${'as'} the log says.`],
  ['a negated noun', `The value ${'is'} no time.`],
  ['a possessive', `It takes ${'nobody'}'s place.`],
])('reports %s', (_what, line) => {
  expect(report(line)).toHaveLength(1)
})
