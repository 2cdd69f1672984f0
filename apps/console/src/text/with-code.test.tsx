import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { WithCode } from './with-code.tsx'

function rendered(text: string): string {
  return renderToStaticMarkup(<WithCode text={text} />)
}

test('shows what is between backticks as code', () => {
  expect(rendered('Correct `healthcheck` and `port`.')).toBe(
    'Correct <code>healthcheck</code> and <code>port</code>.',
  )
  expect(rendered('`port`')).toBe('<code>port</code>')
  expect(rendered('no code')).toBe('no code')
})

test('keeps backticks that are not in pairs', () => {
  expect(rendered("it's 5` long")).toBe('it&#x27;s 5` long')
  expect(rendered('`` and `a`` `')).toBe('`` and `a`` `')
  expect(rendered('a `b\nc` d')).toBe('a `b\nc` d')
})

test('shows HTML and hidden characters as text', () => {
  expect(rendered('<b>a</b> `<img src=x>` \u202E')).toBe(
    '&lt;b&gt;a&lt;/b&gt; <code>&lt;img src=x&gt;</code> \\u202e',
  )
})
