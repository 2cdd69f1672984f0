import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

import { escapeHtml, renderMarkdown } from './markdown.ts'

/** The documentation, in a checkout and in the image. */
const DOCS = new URL('../../../../../docs/', import.meta.url)

const FOLDERS = { guide: 'Guides', reference: 'Reference' } as const

/** The path of the page that lists all others. */
export const GUIDES_PATH = '/docs/guide'

const STYLE = `
body { max-width: 54em; margin: 0 auto; padding: 1em 1em 4em; color: #12303d;
  font: 16px/1.5 system-ui, sans-serif }
a { color: #0b5c7d }
code { background: #eef2f5; border-radius: 3px; padding: 0 .2em; overflow-wrap: anywhere }
pre { background: #eef2f5; border-radius: 6px; padding: .8em; overflow-x: auto }
pre code { padding: 0; overflow-wrap: normal }
table { border-collapse: collapse }
td, th { border: 1px solid #c9d3da; padding: .3em .6em; text-align: left; vertical-align: top }
`

/** A page of the documentation. */
export interface Page {
  readonly path: string
  /** Returns its HTML. */
  readonly render: () => string
}

interface Source {
  readonly path: string
  readonly title: string
  readonly markdown: string
}

/** Returns the pages of the guides and of the reference, and a page that lists them. */
export function guidePages(): Page[] {
  const sources = Object.keys(FOLDERS).flatMap(readFolder)
  const paths = new Set(sources.map(({ path }) => path))
  const lists = Object.entries(FOLDERS).map(([folder, heading]) => {
    const below = sources.filter(({ path }) => path.startsWith(`/docs/${folder}/`))
    const items = below.map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`)
    return `<h2>${heading}</h2>\n<ul>${items.join('\n')}</ul>`
  })
  return [
    {
      path: GUIDES_PATH,
      render: () => pageOf('Documentation', `<h1>Documentation</h1>\n${lists.join('\n')}`),
    },
    ...sources.map(({ path, title, markdown }) => {
      const linkOf = (target: string) => addressOf(target, path, paths)
      return { path, render: () => pageOf(title, renderMarkdown(markdown, linkOf)) }
    }),
  ]
}

function readFolder(folder: string): Source[] {
  const directory = new URL(`${folder}/`, DOCS)
  const names = readdirSync(directory).filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => {
    const markdown = readFileSync(new URL(name, directory), 'utf8')
    const title = escapeHtml(/^# (.+)$/m.exec(markdown)?.[1] ?? name)
    return { path: `/docs/${folder}/${name}`, title, markdown }
  })
}

/** Links lead to other pages and to the internet. Other files of the sources are not here. */
function addressOf(target: string, from: string, paths: ReadonlySet<string>): string | undefined {
  if (/^(https?:|#)/.test(target)) return target
  const [file = ''] = target.split('#')
  return paths.has(posix.join(posix.dirname(from), file)) ? target : undefined
}

function pageOf(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Slipway</title>
<style>${STYLE}</style>
</head>
<body>
<nav><a href="${GUIDES_PATH}">Guides</a> · <a href="/docs">API</a></nav>
${content}
</body>
</html>
`
}
