import { expect, test } from 'vitest'

import { templateInputs } from './template-inputs.ts'

test('finds the inputs of all components', () => {
  const template = {
    agent: { inputs: ['GREETING'], environment: { inputs: 'x' } },
    tools: { search: { inputs: ['LIMIT', 'GREETING'] } },
    credentials: { TOKEN: {} },
  }
  expect([...templateInputs(template)]).toEqual(['GREETING', 'LIMIT'])
  expect([...templateInputs(undefined)]).toEqual([])
})
