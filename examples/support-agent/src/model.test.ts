import { expect, it } from 'vitest'
import { complete } from './model.ts'
import { countTokens } from './text.ts'

const passage = {
  title: 'Deleted files',
  text: [
    'Files stay in the bin for 30 days. The bin has a door. A restored file returns.',
    'Nothing else is here. Support cannot restore older files.',
  ].join(' '),
}
const even = (): number => 1

it('quotes the best sentences in their original order', () => {
  const { text } = complete('restore files from the bin', [passage], even)
  expect(text).toBe(
    'Files stay in the bin for 30 days. A restored file returns. ' +
      'Support cannot restore older files.',
  )
})

it('says that it found nothing if there is no passage', () => {
  expect(complete('the weather', [], even).text).toBe('I found nothing about that.')
})

it('counts the tokens of the input messages and of the answer', () => {
  const { input, text, inputTokens, outputTokens } = complete('restore files', [passage], even)
  const sent = input.flatMap(({ parts }) => parts).map(({ content }) => content)
  expect(sent[0]).toContain(passage.text)
  expect(sent[1]).toBe('restore files')
  expect(inputTokens).toBe(countTokens(sent.join(' ')))
  expect(outputTokens).toBe(countTokens(text))
})
