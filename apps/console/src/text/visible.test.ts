import { expect, test } from 'vitest'

import { visible } from './visible.ts'

test.each([
  ['plain text\twith a tab', 'plain text\twith a tab'],
  ['\u001B[31mred\u001B[0m', 'red'],
  ['\u001B]0;title\u0007after', 'after'],
  ['abc\u202Edcba', 'abc\\u202edcba'],
  ['bell\u0007', 'bell\\u0007'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
])('shows %j as %j', (text, shown) => {
  expect(visible(text)).toBe(shown)
})
