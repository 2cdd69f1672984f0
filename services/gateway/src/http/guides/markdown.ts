/** Returns the address of a link's target, or undefined if there should be no link. */
type LinkReader = (target: string) => string | undefined

const ITEM = /^(-|\d+\.) +/
const INLINE = new RegExp(
  [
    /(?<ticks>`+)(?<code>.+?)\k<ticks>(?!`)/,
    /\*\*(?<bold>.+?)\*\*/,
    /\[(?<text>(?:`[^`]*`|[^\]])+)\]\((?<target>[^)\s]+)\)/,
    /\\(?<escaped>[\\`*_<>$[\]|])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

/**
 * Renders Markdown as HTML. Knows what Slipway's guides use: headings, paragraphs, lists, tables,
 * blocks of code, and in text code, bold text and links. Anything else stays text.
 */
export function renderMarkdown(markdown: string, linkOf: LinkReader): string {
  return renderBlocks(markdown.split('\n'), linkOf).join('\n')
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function renderBlocks(lines: readonly string[], linkOf: LinkReader): string[] {
  const blocks: string[] = []
  let rest = lines
  while (rest.length > 0) {
    const [line = ''] = rest
    let size = 1
    const heading = /^(#{1,6}) (.*)$/.exec(line)
    if (line.startsWith('```')) {
      const end = rest.indexOf('```', 1)
      size = end === -1 ? rest.length : end + 1
      const code = rest.slice(1, end === -1 ? undefined : end)
      blocks.push(`<pre><code>${escapeHtml(code.join('\n'))}</code></pre>`)
    } else if (heading !== null) {
      const [, { length: level } = '', text = ''] = heading
      blocks.push(`<h${level} id="${slugOf(text)}">${renderText(text, linkOf)}</h${level}>`)
    } else if (line.startsWith('|')) {
      size = countWhile(rest, (each) => each.startsWith('|'))
      blocks.push(renderTable(rest.slice(0, size), linkOf))
    } else if (ITEM.test(line)) {
      size = countWhile(rest, (each) => ITEM.test(each) || /^( |$)/.test(each))
      blocks.push(renderList(rest.slice(0, size), linkOf))
    } else if (line !== '' && !line.startsWith('<!--')) {
      size = countWhile(rest, (each, index) => index === 0 || !startsBlock(each))
      blocks.push(`<p>${renderText(rest.slice(0, size).join('\n'), linkOf)}</p>`)
    }
    rest = rest.slice(size)
  }
  return blocks
}

function startsBlock(line: string): boolean {
  return line === '' || /^(#{1,6} |```|\||<!--)/.test(line) || ITEM.test(line)
}

function countWhile(
  lines: readonly string[],
  isMatch: (line: string, index: number) => boolean,
): number {
  const end = lines.findIndex((line, index) => !isMatch(line, index))
  return end === -1 ? lines.length : end
}

function renderTable(lines: readonly string[], linkOf: LinkReader): string {
  const [head = '', , ...rows] = lines
  const row = (line: string, cell: 'td' | 'th') => {
    const cells = line
      .trim()
      .replace(/^\|/, '')
      .replace(/\|$/, '')
      .split(/(?<!\\)\|/)
    const shown = cells.map((text) => {
      const content = renderText(text.trim().replaceAll('\\|', '|'), linkOf)
      return `<${cell}>${content}</${cell}>`
    })
    return `<tr>${shown.join('')}</tr>`
  }
  const body = rows.map((line) => row(line, 'td')).join('\n')
  return `<table><thead>${row(head, 'th')}</thead>\n<tbody>${body}</tbody></table>`
}

function renderList(lines: readonly string[], linkOf: LinkReader): string {
  const items: string[][] = []
  for (const line of lines) {
    const [marker = ''] = ITEM.exec(line) ?? []
    if (marker === '') items.at(-1)?.push(line)
    else items.push([marker, line.slice(marker.length)])
  }
  const tag = lines[0]?.startsWith('-') ? 'ul' : 'ol'
  const shown = items.map(([marker = '', first = '', ...more]) => {
    const indent = new RegExp(`^ {1,${marker.length}}`)
    const [start = '', ...blocks] = renderBlocks(
      [first, ...more.map((line) => line.replace(indent, ''))],
      linkOf,
    )
    return `<li>${[start.replace(/^<p>|<\/p>$/g, ''), ...blocks].join('\n')}</li>`
  })
  return `<${tag}>${shown.join('\n')}</${tag}>`
}

function renderText(text: string, linkOf: LinkReader): string {
  let shown = ''
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const { code, bold, text: linked = '', target, escaped } = match.groups ?? {}
    shown += escapeHtml(text.slice(end, match.index))
    end = match.index + match[0].length
    if (code !== undefined) shown += `<code>${escapeHtml(code.trim())}</code>`
    else if (bold !== undefined) shown += `<strong>${renderText(bold, linkOf)}</strong>`
    else if (target === undefined) shown += escapeHtml(escaped ?? '')
    else {
      const address = linkOf(target)
      const inner = renderText(linked, linkOf)
      shown += address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`
    }
  }
  return shown + escapeHtml(text.slice(end))
}

/** The id of a heading, as code hosts make it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
