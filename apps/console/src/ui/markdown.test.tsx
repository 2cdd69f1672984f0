import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { Markdown } from './markdown.tsx'

function rendered(text: string): string {
  return renderToStaticMarkup(<Markdown text={text} />).replace(/^<div[^>]*>|<\/div>$/g, '')
}

test('renders headings below those of the page, lists, tables and code', () => {
  expect(rendered('# Title\n\nSome **bold** and `code`')).toBe(
    '<h3>Title</h3><p>Some <strong>bold</strong> and <code>code</code></p>',
  )
  expect(rendered('- one\n- two')).toBe('<ul><li>one</li><li>two</li></ul>')
  expect(rendered('| a |\n|---|\n| 1 |')).toContain('<th>a</th>')
  expect(rendered('```\nlet a = 1 < 2\n```')).toContain('let a = 1 &lt; 2')
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'text <b onclick="alert(1)">bold</b>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '![x](javascript:alert(1))',
  '[x](/auth/sign-out)',
  '<javascript:alert(1)>',
])('has no element or link of %s', (text) => {
  expect(rendered(text)).not.toMatch(/<(script|img|b|a)\b/)
})

test('links to the web without saying where from, and loads no image', () => {
  expect(rendered('[x](https://example.com/a)')).toBe(
    '<p><a href="https://example.com/a" rel="noreferrer nofollow" target="_blank">x</a></p>',
  )
  expect(rendered('![logo](https://example.com/logo.png)')).toContain(
    '<a href="https://example.com/logo.png" rel="noreferrer nofollow" target="_blank">logo</a>',
  )
})

test('shows marks that reverse text as codes', () => {
  expect(rendered('a\u202Eb')).toBe('<p>a\\u202eb</p>')
})

test('shows text that is nested too deep', () => {
  expect(rendered(`${'> '.repeat(500)}deep`)).toContain('deep')
})
