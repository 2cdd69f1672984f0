import { commandWords } from './command-words.ts'
import type { Manifest } from './manifest.ts'

/** How the script `start` of a package.json starts a program. */
export interface ScriptStart {
  /** The program and its arguments. */
  readonly words: readonly string[]
  /** The variables that it sets. */
  readonly environment: Readonly<Record<string, string>>
  /** The file that Node.js runs, if it is the program. */
  readonly file: string | undefined
  /** What a build says about it. */
  readonly notes: readonly string[]
}

/** Options of Node.js whose value is the next word. */
const WITH_VALUE =
  /^(-[rC]|--(require|import|loader|experimental-loader|conditions|env-file(-if-exists)?|title))$/
const ENV_FILE = /^--env-file(-if-exists)?(=|$)/
const ASSIGNS = /^([A-Za-z_]\w*)=(.*)$/
const MANAGER = /^(npm|pnpm|yarn|bun)$/
const RUNS_PACKAGE = /^(npx|bunx|pnpx)$/
/** Packages whose programs have other names. */
const PACKAGE_OF: ReadonlyMap<string, string> = new Map([
  ['nest', '@nestjs/cli'],
  ['tsc', 'typescript'],
  ['react-router', '@react-router/dev'],
])
/** Names of scripts that start what was built, while `start` is for development. */
const FOR_PRODUCTION = ['start:prod', 'start:production', 'serve']
/** Scripts may start scripts. */
const MOST_SCRIPTS = 5

/**
 * Reads how the script `start` starts, through other scripts that it runs; undefined if there is
 * none. `port` is what `$PORT` stands for. Throws if it needs a shell.
 */
export function scriptStart(
  { scripts = {}, dependencies, optionalDependencies, devDependencies }: Manifest,
  port: number | undefined,
): ScriptStart | undefined {
  if (scripts['start'] === undefined) return undefined
  const environment: Record<string, string> = {}
  const notes: string[] = []
  let name = 'start'
  let added: readonly string[] = []
  for (let depth = 0; depth < MOST_SCRIPTS; depth++) {
    const source = `the script ${name} of package.json`
    if (scripts[`pre${name}`] !== undefined)
      notes.push(`warning: containers don't run the script pre${name} of package.json`)
    let words = [...commandWords(scripts[name] ?? '', source, port), ...added]
    for (;;) {
      const [first = '', ...rest] = words
      const assigned = ASSIGNS.exec(first)
      if (assigned !== null) environment[assigned[1] ?? ''] = assigned[2] ?? ''
      else if (!/^(env|cross-env)$/.test(first)) break
      words = rest
    }
    const inner = scriptOf(words, scripts)
    if (inner !== undefined) {
      name = inner.name
      added = inner.args
      continue
    }
    words = withoutRunner(words)
    if (words[0] === 'node') return { ...nodeStart(words, notes), environment, notes }
    requireProduction(words, source)
    return { words, environment, file: undefined, notes }
  }
  throw new Error(`the script start of package.json runs scripts that run each other: ${name}`)

  function requireProduction([program = '', ...args]: readonly string[], source: string): void {
    const provides = (each: string): boolean =>
      each === PACKAGE_OF.get(program) ||
      (!each.startsWith('@types/') &&
        [program, `${program}-cli`].includes(each.slice(each.lastIndexOf('/') + 1)))
    const production = Object.keys({ ...dependencies, ...optionalDependencies })
    const found = Object.keys(devDependencies ?? {}).find(provides)
    if (found === undefined || production.some(provides)) return
    const file = args.find((each) => /\.[cm]?[jt]s$/.test(each))
    const built = FOR_PRODUCTION.find((each) => scripts[each]?.startsWith('node ') === true)
    const or =
      built !== undefined
        ? `, or write "start": "${scripts[built]}", which is ${built}`
        : file !== undefined
          ? `, or write "start": "node ${file}": it runs TypeScript`
          : ''
    throw new Error(
      `${source} runs ${program}, but ${found} is in "devDependencies", and the image has what ` +
        `production needs; move it to "dependencies"${or}`,
    )
  }
}

/** The other script that a command runs, as `npm run serve`, and what it adds to it. */
function scriptOf(
  words: readonly string[],
  scripts: Readonly<Record<string, string>>,
): { readonly name: string; readonly args: readonly string[] } | undefined {
  const [manager = '', ...others] = words
  if (!MANAGER.test(manager)) return undefined
  const rest = others.filter((each, index) => index > 1 || !each.startsWith('-'))
  const runs = /^run(-script)?$/.test(rest[0] ?? '')
  const [name = '', ...args] = runs ? rest.slice(1) : rest
  if (scripts[name] === undefined || (manager === 'npm' && !runs && name !== 'start'))
    return undefined
  return { name, args: args[0] === '--' ? args.slice(1) : args }
}

/** The command of `npx next start` or `pnpm exec next start`. */
function withoutRunner(words: readonly string[]): string[] {
  const [first = '', second = '', ...rest] = words
  if (RUNS_PACKAGE.test(first)) {
    const from = words.findIndex((each, index) => index > 0 && !each.startsWith('-'))
    return words.slice(Math.max(from, 1))
  }
  if (MANAGER.test(first) && second === 'exec') return rest[0] === '--' ? rest.slice(1) : rest
  // `yarn next start`
  return first === 'yarn' && second !== '' ? [second, ...rest] : [...words]
}

/** The options of Node.js that an image can have, and the file that it runs. */
function nodeStart(
  [node = '', ...args]: readonly string[],
  notes: string[],
): Pick<ScriptStart, 'words' | 'file'> {
  const kept: string[] = []
  let index = 0
  for (; args[index]?.startsWith('-') === true; index++) {
    const option = args[index] ?? ''
    const value = WITH_VALUE.test(option) ? [args[++index] ?? ''] : []
    if (!ENV_FILE.test(option)) kept.push(option, ...value)
    else
      notes.push(
        `the image starts without ${[option, ...value].join(' ')}: it has no files of secrets; ` +
          'write variables to agent.environment of astroai.yml, and secrets as its inputs',
      )
  }
  const [file, ...rest] = args.slice(index)
  if (file === undefined)
    throw new Error(
      'the script start of package.json runs node without a file; write "start": "node FILE"',
    )
  return { words: [node, ...kept, file, ...rest], file }
}
