import { Marked } from 'marked'

/** Returns the address of a link's target, or undefined if there should be no link. */
type LinkReader = (target: string) => string | undefined

/** Renders Markdown that we wrote ourselves as HTML: its tags stay as they are. */
export function renderMarkdown(markdown: string, linkOf: LinkReader): string {
  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }) {
        const content = this.parser.parseInline(tokens)
        return `<h${depth} id="${slugOf(text)}">${content}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens)
        const address = linkOf(href)
        return address === undefined ? content : `<a href="${escapeHtml(address)}">${content}</a>`
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The id of a heading, as code hosts make it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
