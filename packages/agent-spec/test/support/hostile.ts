const size = 256 * 1024
const fifty = (line: (index: number) => string): string =>
  Array.from({ length: 50 }, (_, index) => line(index)).join('\n')
const times = (text: string, length = size): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)
const lines = (line: (index: number) => string): string => {
  let text = ''
  for (let index = 0; text.length < size - 64; index++) text += `${line(index)}\n`
  return text
}

/** Texts of 256 KiB that were made to cost time or memory. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'open brackets': times('['),
  'open braces': times('{'),
  'closing brackets': times(']'),
  'nested maps in flow': times('{a: '),
  'nested lists in a block': times('- '),
  'nested explicit keys': times('? '),
  'nested colons': times(': '),
  'nested maps by indent': Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}a:`).join(
    '\n',
  ),
  'commas in flow': `a: [${times(',', size - 10)}]`,
  'many scalars in flow': `a: [${times('a,', size - 10)}]`,
  'pairs of brackets': times('[]'),
  'pairs of braces': `a: ${times('{}', size - 10)}`,
  'many keys': lines((index) => `k${index}:`),
  '10,000 keys': Array.from({ length: 10_000 }, (_, index) => `key-${index}: value`).join('\n'),
  '10,000 keys in flow': `{${Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join(', ')}}`,
  'equal keys': lines(() => 'a: 1'),
  'long key': `${times('k', size - 4)}: v`,
  comments: `${times('#\n', size - 8)}a: 1`,
  'empty lines': `a:${times('\n', size - 8)} b`,
  'carriage returns': times('\r'),
  'long number': `a: ${times('9', size - 4)}`,
  'long hexadecimal': `a: 0x${times('f', size - 6)}`,
  'long exponent': `a: 1e${times('9', size - 6)}`,
  'long dots': `a: ${times('.', size - 4)}`,
  'long anchor': `a: &${times('x', size - 8)} b`,
  'many anchors': lines((index) => `- &a${index} x`),
  'one anchor again': lines(() => '- &a x'),
  'unknown aliases': times('*a '),
  'many aliases of a long text': `a: &a ${times('x', size / 2)}\nb: [${times('*a,', size / 2 - 20)}]`,
  'a few aliases of a long text': `a: &a ${times('x', size - 1000)}\nb: [${'*a,'.repeat(150)}]`,
  'billion laughs': billionLaughs(9, 9),
  'nested aliases in maps': lines(
    (index) =>
      `k${index}: &a${index} {x: *a${Math.max(0, index - 1)}, y: *a${Math.max(0, index - 1)}}`,
  ),
  'double quotes': times('"'),
  'single quotes': times("'"),
  'escapes in quotes': `a: "${times('\\n', size - 6)}"`,
  'bad escapes': `a: "${times('\\q', size - 6)}"`,
  'folded quotes': `a: "${times('x\n ', size - 8)}"`,
  'plain over lines': `a: ${times('x\n ', size - 8)}`,
  'literal block': `a: |\n${times(' x\n', size - 8)}`,
  'folded block': `a: >\n${times(' x\n\n', size - 8)}`,
  'block of spaces': `a: |\n${times('  \n', size - 8)}`,
  spaces: `a:${times(' ', size - 4)}b`,
  tabs: `a:${times('\t', size - 4)}b`,
  directives: times('%a\n'),
  documents: times('---\n'),
  'document ends': times('...\n'),
  'custom tags': lines(() => '- !a x'),
  'tag of exclamation marks': times('!'),
  ampersands: times('&'),
  'hashes in text': `a: ${times(' #', size - 4)}`,
  'hashes without a space': `a: ${times('x#', size - 4)}`,
  references: `spec: astro/v1\nname: x\nagent: {image: x}\ntools: {t: {container: {image: x, environment: {A: "${times('${', size - 200)}"}}}}`,
  'long image': `spec: astro/v1\nname: x\nagent: {image: ${times('a', size - 200)}}`,
  'unknown keys in a long path': `tools:\n  ${times('t', 1000)}:\n${Array.from({ length: 3900 }, (_, index) => `    k${index}: 1`).join('\n')}`,
  'many entries': `spec: astro/v1\nname: x\nagent: {image: x}\nmodels:\n${Array.from({ length: 1900 }, (_, index) => `  m${index}: {provider: ollama}`).join('\n')}`,
  'entries and pipelines': `spec: astro/v1\nname: x\nagent: {image: x}\n${['models', 'tools', 'ingestion'].map((section) => `${section}:\n${Array.from({ length: 440 }, (_, index) => `  e${index}: {container: {image: x}}`).join('\n')}`).join('\n')}`,
  'entries and pipelines of long names': `spec: astro/v1\nname: x\nagent: {image: x}\n${['models', 'knowledge', 'tools'].map((section) => `${section}:\n${fifty((index) => `  ${'n'.repeat(95)}${index}: {container: {image: x}}`)}`).join('\n')}\ningestion:\n${fifty((index) => `  ${'n'.repeat(95)}${index}: {container: {image: x}, trigger: {type: manual}}`)}`,
  'stores and pipelines of long names': `spec: astro/v1\nname: x\nagent: {image: x}\nknowledge:\n${fifty((index) => `  ${'n'.repeat(95)}${index}: {provider: postgres}`)}\ningestion:\n${fifty((index) => `  ${'n'.repeat(95)}${index}: {container: {image: x}, trigger: {type: manual}}`)}`,
  'long credentials and pipelines': `spec: astro/v1\nname: x\nagent: {image: x}\nintegrations:\n  i:\n    credentials: [${Array.from({ length: 900 }, (_, index) => `{suffix: ${'S'.repeat(200)}${index}}`).join(',')}]\ningestion:\n${fifty((index) => `  e${index}: {container: {image: x}, trigger: {type: manual}}`)}`,
  'many inputs': `spec: astro/v1\nname: x\nagent:\n  image: x\n  inputs:\n${Array.from({ length: 1200 }, (_, index) => `    i${index}: {name: I${index}, datatype: string}`).join('\n')}`,
  'byte order marks': times('\ufeff'),
  'astral letters': `a: ${times('😀', size - 4)}`,
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
