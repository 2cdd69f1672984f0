import { expect, test } from 'vitest'

import { renderMarkdown } from './markdown.ts'

const render = (markdown: string) =>
  renderMarkdown(markdown, (target) => (target.startsWith('gone') ? undefined : target))

test.each([
  ['# A `b` & c.', '<h1 id="a-b--c">A <code>b</code> &amp; c.</h1>'],
  ['two\nlines\n\n<!-- note -->\nmore', '<p>two\nlines</p>\n<p>more</p>'],
  ['a **bold `x`** \\<b>', '<p>a <strong>bold <code>x</code></strong> &lt;b&gt;</p>'],
  ['[`a`](b.md#c) and [d](gone.md)', '<p><a href="b.md#c"><code>a</code></a> and d</p>'],
  ['`a\nb` and ``c`d``', '<p><code>a\nb</code> and <code>c`d</code></p>'],
  ['```sh\n# <a>\n\n**b**\n```\nc', '<pre><code># &lt;a&gt;\n\n**b**</code></pre>\n<p>c</p>'],
  [
    '| a | b |\n| --- | --- |\n| `x \\| y` | z |',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead>\n' +
      '<tbody><tr><td><code>x | y</code></td><td>z</td></tr></tbody></table>',
  ],
  ['- a\n  b\n- c', '<ul><li>a\nb</li>\n<li>c</li></ul>'],
  [
    '1. a:\n\n   ```\n   b\n     c\n   ```\n\n   d\n2. e',
    '<ol><li>a:\n<pre><code>b\n  c</code></pre>\n<p>d</p></li>\n<li>e</li></ol>',
  ],
])('renders %j', (markdown, html) => {
  expect(render(markdown)).toBe(html)
})
