import { expect, test } from 'vitest'

import { visible } from './visible.ts'

test.each([
  ['plain text\twith a tab', 'plain text\twith a tab'],
  ['\u001B[31mred\u001B[0m', 'red'],
  ['\u001B]0;title\u0007after', 'after'],
  ['\u001B]all that follows', '\\u001b]all that follows'],
  ['\u001B]0;a\nb\u0007', '\\u001b]0;a\nb\\u0007'],
  ['\u001B[31', '\\u001b[31'],
  ['abc\u202Edcba', 'abc\\u202edcba'],
  ['bell\u0007', 'bell\\u0007'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
])('shows %j as %j', (text, shown) => {
  expect(visible(text)).toBe(shown)
})
