import { expect, test } from 'vitest'
import { scriptStart } from './node-start.ts'

const start = (
  script: string,
  scripts: Readonly<Record<string, string>> = {},
  others: object = {},
) =>
  scriptStart(
    { name: 'a', version: '1.0.0', scripts: { start: script, ...scripts }, ...others },
    8080,
  )

test.each<[string, string, string | undefined]>([
  ['node dist/x.js', 'node dist/x.js', 'dist/x.js'],
  ['NODE_ENV=production node dist/x.js', 'node dist/x.js', 'dist/x.js'],
  ['cross-env A=1 B=2 node x.js --port $PORT', 'node x.js --port 8080', 'x.js'],
  [
    'node --import ./y.js -r a --enable-source-maps x.js',
    'node --import ./y.js -r a --enable-source-maps x.js',
    'x.js',
  ],
  ['node --env-file=.env --env-file .env.local x.js', 'node x.js', 'x.js'],
  ['npm run serve', 'node served.js', 'served.js'],
  ['npm run -s serve -- --quiet', 'node served.js --quiet', 'served.js'],
  ['pnpm serve', 'node served.js', 'served.js'],
  ['yarn run serve', 'node served.js', 'served.js'],
  ['next start', 'next start', undefined],
  ['npx --yes next start -p ${PORT:-3000}', 'next start -p 8080', undefined],
  ['pnpm exec mastra start', 'mastra start', undefined],
  ['yarn mastra start', 'mastra start', undefined],
  ['dotenv -- node x.js', 'dotenv -- node x.js', undefined],
  ['tsx src/x.ts', 'tsx src/x.ts', undefined],
])('%s starts %s', (script, words, file) => {
  const found = start(script, { serve: 'node served.js' })
  expect([found?.words.join(' '), found?.file]).toEqual([words, file])
})

test('sets the variables that the script sets, and says what an image leaves out', () => {
  const found = start('LOG=1 npm run serve', {
    prestart: 'npm run build',
    serve: 'cross-env MODE=all node --env-file=.env x.js',
  })
  expect(found?.environment).toEqual({ LOG: '1', MODE: 'all' })
  expect(found?.notes).toEqual([
    "warning: containers don't run the script prestart of package.json",
    expect.stringContaining('the image starts without --env-file=.env: it has no files of secrets'),
  ])
})

test('refuses what only development has, with the lines to write', () => {
  const dev = (...names: string[]) => ({
    devDependencies: Object.fromEntries(names.map((name) => [name, '1'])),
  })
  expect(() => start('tsx src/x.ts', {}, dev('tsx'))).toThrow(
    'the script start of package.json runs tsx, but tsx is in "devDependencies", and the image ' +
      'has what production needs; move it to "dependencies", or write "start": "node src/x.ts": ' +
      'it runs TypeScript',
  )
  expect(() => start('dotenv -- node x', {}, dev('dotenv-cli'))).toThrow('dotenv-cli is in')
  expect(() => start('nest start', { 'start:prod': 'node dist/main' }, dev('@nestjs/cli'))).toThrow(
    'runs nest, but @nestjs/cli is in "devDependencies", and the image has what production ' +
      'needs; move it to "dependencies", or write "start": "node dist/main", which is start:prod',
  )
  // Types have no program.
  expect(start('bun src/x.ts', {}, dev('@types/bun'))?.words).toEqual(['bun', 'src/x.ts'])
  expect(start('tsx x.ts', {}, { ...dev('tsx'), dependencies: { tsx: '1' } })?.words).toHaveLength(
    2,
  )
})

test('refuses what needs a shell, has no file or starts itself', () => {
  expect(() => start('npm run a && node x.js')).toThrow('needs a shell')
  expect(() => start('npm run a', { a: 'node "x y"' })).toThrow(
    'the script a of package.json needs',
  )
  expect(() => start('node')).toThrow('runs node without a file')
  expect(() => start('npm start')).toThrow('run each other: start')
})
