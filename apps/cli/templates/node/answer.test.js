import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer } from './answer.js'

test('counts words and names the longest', async () => {
  assert.equal(await answer('water the plants'), 'You said 3 words. The longest is plants.')
  assert.equal(await answer(' '), 'You said 0 words. The longest is nothing.')
})
