const SIZE = 256 * 1024
const HEAD = 'spec: astro/v1\nname: x\nagent: {image: x}\n'
const CONTAINER = '{container: {image: x}}'
const INGESTION = '{container: {image: x}, trigger: {type: manual}}'

function times(text: string, length = SIZE): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

/** As many lines as fit. */
function lines(line: (index: number) => string): string {
  let text = ''
  for (let index = 0; text.length < SIZE - 64; index++) text += `${line(index)}\n`
  return text
}

function several(count: number, item: (index: number) => string, separator = '\n'): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(separator)
}

/** A section with 40 entries whose names are long. */
function longNames(section: string, entry: string): string {
  return `${section}:\n${several(40, (index) => `  ${'n'.repeat(95)}${index}: ${entry}`)}`
}

/** Strings of 256 KiB that are meant to cost time or memory. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'open brackets': times('['),
  'open braces': times('{'),
  'closing brackets': times(']'),
  'nested maps in flow': times('{a: '),
  'nested lists in a block': times('- '),
  'nested explicit keys': times('? '),
  'nested colons': times(': '),
  'nested maps by indent': several(700, (depth) => `${' '.repeat(depth)}a:`),
  'commas in flow': `a: [${times(',', SIZE - 10)}]`,
  'many scalars in flow': `a: [${times('a,', SIZE - 10)}]`,
  'pairs of brackets': times('[]'),
  'pairs of braces': `a: ${times('{}', SIZE - 10)}`,
  'many keys': lines((index) => `k${index}:`),
  '10,000 keys': several(10_000, (index) => `key-${index}: value`),
  '10,000 keys in flow': `{${several(10_000, (index) => `k${index}: 1`, ', ')}}`,
  'equal keys': lines(() => 'a: 1'),
  'long key': `${times('k', SIZE - 4)}: v`,
  comments: `${times('#\n', SIZE - 8)}a: 1`,
  'empty lines': `a:${times('\n', SIZE - 8)} b`,
  'carriage returns': times('\r'),
  'long number': `a: ${times('9', SIZE - 4)}`,
  'long hexadecimal': `a: 0x${times('f', SIZE - 6)}`,
  'long exponent': `a: 1e${times('9', SIZE - 6)}`,
  'long dots': `a: ${times('.', SIZE - 4)}`,
  'long anchor': `a: &${times('x', SIZE - 8)} b`,
  'many anchors': lines((index) => `- &a${index} x`),
  'one anchor again': lines(() => '- &a x'),
  'unknown aliases': times('*a '),
  'many aliases of a long text':
    `a: &a ${times('x', SIZE / 2)}\n` + `b: [${times('*a,', SIZE / 2 - 20)}]`,
  'a few aliases of a long text': `a: &a ${times('x', SIZE - 1000)}\nb: [${'*a,'.repeat(150)}]`,
  'billion laughs': billionLaughs(9, 9),
  'nested aliases in maps': lines(
    (index) =>
      `k${index}: &a${index} {x: *a${Math.max(0, index - 1)}, y: *a${Math.max(0, index - 1)}}`,
  ),
  'double quotes': times('"'),
  'single quotes': times("'"),
  'escapes in quotes': `a: "${times('\\n', SIZE - 6)}"`,
  'bad escapes': `a: "${times('\\q', SIZE - 6)}"`,
  'folded quotes': `a: "${times('x\n ', SIZE - 8)}"`,
  'plain over lines': `a: ${times('x\n ', SIZE - 8)}`,
  'literal block': `a: |\n${times(' x\n', SIZE - 8)}`,
  'folded block': `a: >\n${times(' x\n\n', SIZE - 8)}`,
  'block of spaces': `a: |\n${times('  \n', SIZE - 8)}`,
  spaces: `a:${times(' ', SIZE - 4)}b`,
  tabs: `a:${times('\t', SIZE - 4)}b`,
  directives: times('%a\n'),
  documents: times('---\n'),
  'document ends': times('...\n'),
  'custom tags': lines(() => '- !a x'),
  'tag of exclamation marks': times('!'),
  ampersands: times('&'),
  'hashes in text': `a: ${times(' #', SIZE - 4)}`,
  'hashes without a space': `a: ${times('x#', SIZE - 4)}`,
  references:
    `${HEAD}tools: {t: {container: {image: x, environment: ` +
    `{A: "${times('${', SIZE - 200)}"}}}}`,
  'long image': `spec: astro/v1\nname: x\nagent: {image: ${times('a', SIZE - 200)}}`,
  'unknown keys in a long path': `tools:\n  ${times('t', 1000)}:\n${several(
    1100,
    (index) => `    k${index}: 1`,
  )}`,
  'many entries': `${HEAD}models:\n${several(480, (index) => `  m${index}: {provider: ollama}`)}`,
  'entries and pipelines':
    HEAD +
    ['models', 'tools', 'ingestion']
      .map((section) => `${section}:\n${several(95, (index) => `  e${index}: ${CONTAINER}`)}`)
      .join('\n'),
  'entries and pipelines of long names':
    HEAD +
    [
      ...['models', 'knowledge', 'tools'].map((section) => longNames(section, CONTAINER)),
      longNames('ingestion', INGESTION),
    ].join('\n'),
  'stores and pipelines of long names':
    HEAD +
    [longNames('knowledge', '{provider: postgres}'), longNames('ingestion', INGESTION)].join('\n'),
  'long credentials and pipelines':
    `${HEAD}integrations:\n  i:\n    credentials: ` +
    `[${several(200, (index) => `{suffix: ${'S'.repeat(200)}${index}}`, ',')}]\n` +
    `ingestion:\n${several(40, (index) => `  e${index}: ${INGESTION}`)}`,
  'many inputs':
    'spec: astro/v1\nname: x\nagent:\n  image: x\n  inputs:\n' +
    several(300, (index) => `    i${index}: {name: I${index}, datatype: string}`),
  'aliases of a large entry':
    `${HEAD}models:\n  a: &m\n    container:\n      image: x\n      environment:\n` +
    `${several(500, (index) => `        V${index}: x`)}\n` +
    ['  b: *m', ...['knowledge', 'tools'].map((section) => `${section}:`)]
      .map((line) => `${line}\n${several(49, (index) => `  e${index}: *m`)}`)
      .join('\n'),
  'misspelled keys': `${HEAD}tools:\n  t:\n    container:\n      image: x\n${several(
    550,
    (index) => `      envi${index.toString(36).padStart(2, '_')}nment: x`,
  )}`,
  'names with a long common prefix': `${HEAD}tools:\n  t:\n    container:\n      image: x\n${[
    '      environment:',
    several(500, (index) => `        ${'N'.repeat(480)}${(index * 7919) % 500}: x`),
  ].join('\n')}`,
  'unknown providers with a long common prefix':
    `${HEAD}providers:\n${several(
      50,
      (index) => `  ${'n'.repeat(95)}${index}: {scope: [tools], variables: []}`,
    )}\n` +
    ['models', 'knowledge', 'tools', 'integrations']
      .map((section) =>
        [`${section}:`, several(50, (index) => `  e${index}: {provider: ${'N'.repeat(99)}}`)].join(
          '\n',
        ),
      )
      .join('\n'),
  'byte order marks': times('\ufeff'),
  'astral letters': `a: ${times('😀', SIZE - 4)}`,
}

function billionLaughs(levels: number, width: number): string {
  let text = 'a0: &a0 [lol]\n'
  for (let level = 1; level <= levels; level++) {
    text += `a${level}: &a${level} [${Array(width)
      .fill(`*a${level - 1}`)
      .join(',')}]\n`
  }
  return text
}
