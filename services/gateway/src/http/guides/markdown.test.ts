import { expect, test } from 'vitest'

import { renderMarkdown } from './markdown.ts'

const render = (markdown: string) =>
  renderMarkdown(markdown, (target) => (target.startsWith('gone') ? undefined : target))

test.each([
  ['# A `b` & c.', '<h1 id="a-b--c">A <code>b</code> &amp; c.</h1>\n'],
  ['[`a`](b.md#c) and [d](gone.md)', '<p><a href="b.md#c"><code>a</code></a> and d</p>\n'],
  ['[a](b?c="d)', '<p><a href="b?c=&quot;d">a</a></p>\n'],
])('renders %j', (markdown, html) => {
  expect(render(markdown)).toBe(html)
})

test('renders tables', () => {
  expect(render('| a |\n| --- |\n| `x \\| y` |')).toContain('<td><code>x | y</code></td>')
})
