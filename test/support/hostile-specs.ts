/** Spec files that must be rejected immediately, by their defect. */
export function hostileSpecs(): Readonly<Record<string, string>> {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n')
  return {
    'an alias bomb': `a: &a [x,x,x,x,x,x,x,x,x]\n${lines(9, (index) => {
      const [before, name] = [letter(index), letter(index + 1)]
      return `${name}: &${name} [${Array(9).fill(`*${before}`).join()}]`
    })}\n`,
    'many aliases': `a: &a [1]\nb:\n${lines(20_000, () => '  - *a')}\n`,
    'an alias of itself': 'a: &a\n  b: *a\n',
    'nested merge keys': `a: &a {x: 1}\n${lines(200, (index) => {
      const previous = index === 0 ? 'a' : `k${index - 1}`
      return `k${index}: &k${index}\n  <<: [*${previous}, *a]`
    })}\n`,
    'duplicate keys': 'name: a\nname: b\n',
    'duplicate keys further down': `agent:\n${lines(10_000, () => '  image: x')}\n`,
    'a custom tag': 'name: !!js/function "return 1"\n',
    'another tag': 'name: !python/object/apply:os.system ["id"]\n',
    'several documents': 'name: a\n---\nname: b\n',
    'deep nesting in flow style': `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
    'deep nesting in block style': `${lines(400, (index) => `${' '.repeat(index)}a:`)}\n`,
    'deep nesting of sequences': `a:\n${'- '.repeat(20_000)}x\n`,
    tabs: 'name:\n\t- a\n',
    'a list': '- a\n- b\n',
    'a text': 'just a text\n',
    nothing: '# only a comment\n',
    'an open quote': `name: "${'x'.repeat(200_000)}\n`,
    'open brackets': `name: ${'{a: '.repeat(10_000)}\n`,
    '10,000 keys': `name: a\nagent:\n  environment:\n${lines(
      10_000,
      (index) => `    KEY_${index}: x`,
    )}\n`,
    'a control character': 'name: "a\u0001b"\n\u0002',
    'keys that are not strings': '? [a, b]\n: c\n',
  }
}

/** Odd spec files that are accepted with warnings, since they are one mapping. */
export function oddSpecs(): Readonly<Record<string, string>> {
  return {
    'a long text': `name: a\nmeta:\n  description: ${'x'.repeat(250_000)}\n`,
    'huge numbers': `name: a\nagent:\n  port: ${'9'.repeat(5_000)}\n  replicas: 1e400\n`,
    'names of prototypes': 'name: a\n__proto__:\n  polluted: true\nconstructor:\n  prototype: {}\n',
    'unknown providers': unknownProviders(),
    'wrong types': 'name: [1]\nagent: 5\nmodels: text\ninterfaces: [[]]\n',
  }
}

/** Names that must be compared with many others that differ only at their ends. */
function unknownProviders(): string {
  const entries = (entry: (index: number) => string) =>
    Array.from({ length: 50 }, (_, index) => `  ${entry(index)}\n`).join('')
  const known = entries((index) => `${'n'.repeat(95)}${index}: {scope: [tools], variables: []}`)
  const sections = ['models', 'knowledge', 'tools', 'integrations'].map(
    (section) => `${section}:\n${entries((index) => `e${index}: {provider: ${'N'.repeat(99)}}`)}`,
  )
  return `name: a\nproviders:\n${known}${sections.join('')}`
}

/** A small spec file with a large template: every pipeline gets the address of every component. */
export function growingSpec(): string {
  const entries = (value: string) =>
    Array.from({ length: 40 }, (_, index) => `  ${'n'.repeat(95)}${index}: ${value}\n`).join('')
  const sections = ['models', 'knowledge', 'tools'].map(
    (name) => `${name}:\n${entries('{container: {image: x}}')}`,
  )
  const pipelines = `ingestion:\n${entries('{container: {image: x}, trigger: {type: manual}}')}`
  return `spec: astro/v1\nname: a\nagent: {image: x}\n${sections.join('')}${pipelines}`
}

/** A large spec file without a defect: its template has 120 KB. */
export function largeSpec(): string {
  const entries = (count: number, entry: string) =>
    Array.from({ length: count }, (_, index) => `  a-component-of-some-length-${index}: ${entry}\n`)
  const stores = entries(20, '{provider: postgres}').join('')
  const runs = entries(10, '{container: {image: x}, trigger: {type: manual}}').join('')
  return `spec: astro/v1\nname: a\nagent: {image: x}\nknowledge:\n${stores}ingestion:\n${runs}`
}

function letter(index: number): string {
  return String.fromCharCode(97 + index)
}
