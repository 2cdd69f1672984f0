import { Lexer, type Token, type Tokens } from 'marked'
import { Fragment, useMemo, type ReactNode } from 'react'

import { partsOf, type Part } from '../text/markdown-parts.ts'
import { visible } from '../text/visible.ts'
import { TableFrame } from './table-frame.tsx'

/** Deeper nesting of lists and quotes is shown as text. */
const DEEPEST = 12

/**
 * Markdown of others as elements. HTML in it is shown as text, links lead only to the web, and
 * images are links: the page loads nothing from other hosts.
 */
export function Markdown({ text }: { readonly text: string }) {
  const content = useMemo(
    () =>
      partsOf(text).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>{partElement(part)}</Fragment>
      )),
    [text],
  )
  return <div className="markdown">{content}</div>
}

function partElement({ kind, text }: Part): ReactNode {
  if (kind === 'code') return code(text)
  if (kind === 'plain') return <pre tabIndex={0}>{visible(text)}</pre>
  try {
    return elements(new Lexer().lex(text), 0)
  } catch {
    // The parser can fail for text of others. The page must still show it.
    return <pre tabIndex={0}>{visible(text)}</pre>
  }
}

function code(text: string): ReactNode {
  return (
    <pre tabIndex={0}>
      <code>{visible(text)}</code>
    </pre>
  )
}

function elements(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  if (tokens === undefined) return null
  // Tokens have no ids, and never change.
  // oxlint-disable-next-line react/no-array-index-key
  return tokens.map((token, index) => <Fragment key={index}>{element(token, depth)}</Fragment>)
}

function element(token: Token, depth: number): ReactNode {
  if (depth > DEEPEST) return visible(token.raw)
  const inner = () => elements((token as Tokens.Generic).tokens, depth + 1)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return heading((token as Tokens.Heading).depth, inner())
    case 'html':
      return (token as Tokens.HTML).block ? <p>{visible(token.raw.trim())}</p> : visible(token.raw)
    case 'paragraph':
      return <p>{inner()}</p>
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>
    case 'list':
      return list(token as Tokens.List, depth)
    case 'table':
      return table(token as Tokens.Table, depth)
    case 'code':
      return code((token as Tokens.Code).text)
    case 'hr':
      return <hr />
    case 'br':
      return <br />
    case 'strong':
      return <strong>{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'del':
      return <del>{inner()}</del>
    case 'codespan':
      return <code>{visible((token as Tokens.Codespan).text)}</code>
    case 'link':
      return link((token as Tokens.Link).href, inner())
    case 'image':
      return link((token as Tokens.Image).href, visible((token as Tokens.Image).text || 'image'))
    case 'text':
    case 'escape': {
      const { text, tokens } = token as Tokens.Text
      return tokens === undefined ? visible(text) : inner()
    }
    default:
      return visible(token.raw)
  }
}

/** The page has its own first heading. */
function heading(level: number, content: ReactNode): ReactNode {
  if (level === 1) return <h3>{content}</h3>
  return level === 2 ? <h4>{content}</h4> : <h5>{content}</h5>
}

function link(href: string, content: ReactNode): ReactNode {
  const isWeb = /^https?:$/.test(URL.parse(href)?.protocol ?? '')
  if (!isWeb) return content
  return (
    <a href={href} rel="noreferrer nofollow" target="_blank">
      {content}
    </a>
  )
}

function list({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const children = items.map((item, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li key={index}>{elements(item.tokens, depth + 1)}</li>
  ))
  if (!ordered) return <ul>{children}</ul>
  return <ol {...(typeof start === 'number' ? { start } : {})}>{children}</ol>
}

function table({ header, rows }: Tokens.Table, depth: number): ReactNode {
  return (
    <TableFrame label="Table">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <th key={index}>{elements(tokens, depth + 1)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              {row.map(({ tokens }, column) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={column}>{elements(tokens, depth + 1)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
