const MAX_LINES = 5

/** The first paragraph of a readme in Markdown, without headings, images and markup. */
export function readmeSummary(readme: string): string[] {
  const paragraphs = readme.replaceAll('\r\n', '\n').split(/\n\s*\n/)
  for (const paragraph of paragraphs) {
    const lines = paragraph
      .split('\n')
      .filter((line) => !/^\s*(#|!\[|\[!\[|<|```|---|===)/.test(line))
      .map(withoutMarkup)
      .filter((line) => line.trim() !== '')
    if (lines.length > 0) return lines.slice(0, MAX_LINES)
  }
  return []
}

/** Links become their text; emphasis and code lose their marks. */
function withoutMarkup(line: string): string {
  return line.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\*\*|__|`/g, '')
}
