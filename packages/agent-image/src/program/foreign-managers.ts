/** A package manager that builds don't know. */
interface ForeignManager {
  readonly name: string
  readonly files: readonly string[]
  readonly remedy: string
}

const MANAGERS: readonly ForeignManager[] = [
  {
    name: 'Pipenv',
    files: ['Pipfile.lock', 'Pipfile'],
    remedy: 'write requirements.txt: pipenv requirements >requirements.txt',
  },
  {
    name: 'Conda',
    files: ['conda-lock.yml', 'environment.yml', 'environment.yaml'],
    remedy: 'name its packages of PyPI in requirements.txt, or write a Dockerfile',
  },
  {
    name: 'Pixi',
    files: ['pixi.lock', 'pixi.toml'],
    remedy: 'name its packages of PyPI in requirements.txt, or write a Dockerfile',
  },
  {
    name: 'Rye',
    files: ['requirements.lock'],
    remedy: 'copy it: cp requirements.lock requirements.txt',
  },
  {
    name: 'Deno',
    files: ['deno.lock', 'deno.json', 'deno.jsonc'],
    remedy: 'write a package.json, for Node.js, or a Dockerfile',
  },
]

/** Says which files of a folder are of package managers that builds don't know, and what to do. */
export function foreignManagers(has: (name: string) => boolean): string | undefined {
  const found = MANAGERS.flatMap(({ name, files, remedy }) => {
    const file = files.find(has)
    return file === undefined ? [] : [`${file} of ${name} is not used; ${remedy}`]
  })
  return found.length === 0 ? undefined : found.join('. ')
}
