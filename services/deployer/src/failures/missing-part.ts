import type { LogAdvice } from './log-advice.ts'

interface Part {
  readonly pattern: RegExp
  /** What is missing, by what the pattern finds. */
  readonly what: (name: string) => string
  readonly step: string
}

const BUILD = 'and register a build with it.'

/** What programs write of parts that their image lacks. The first that is found counts. */
const PARTS: readonly Part[] = [
  {
    pattern: /(lib[\w.+-]+\.so(?:\.\d+)*): cannot open shared object file/,
    what: (name) => `the library ${name} of the system`,
    step: `Take a base or a Dockerfile that has it, or a package that needs none, ${BUILD}`,
  },
  {
    pattern: /ModuleNotFoundError: No module named '([\w.]+)'/,
    what: (name) => `the Python module ${name}`,
    step:
      'Add its package to the dependencies, not only to those for development, or correct the ' +
      `import, ${BUILD}`,
  },
  {
    pattern: /Cannot find (?:package|module) '((?:@[\w.-]+\/)?[\w-][\w.-]*(?:\/[\w./-]+)?)'/,
    what: (name) => `the Node.js package ${name}`,
    step: `Add it to "dependencies", not to "devDependencies", or correct the import, ${BUILD}`,
  },
  {
    pattern: /Cannot find module '([./][^']*)'/,
    what: (name) => `the file ${name}`,
    step: `Let the build make it, or correct the import, ${BUILD}`,
  },
  {
    pattern: /(?:FileNotFoundError|ENOENT)\b.*no such file or directory[^']*'([^']+)'/i,
    what: (name) => `the file ${name}`,
    step: `Put it among the sources, where no rule leaves it out, or correct its path, ${BUILD}`,
  },
]
/** A file that a program may not use, as it says itself. */
export const DENIED_FILE =
  /(?:PermissionError|EACCES|EROFS|Read-only file system)\b[^']*'(\/[^']+)'/
/** The kernel's words for a program of another processor. */
const OTHER_PROCESSOR = /exec format error/i

/** Finds what an image lacks or forbids, as the end of the log of a failed program says. */
export function missingPartIn(logLines: readonly string[]): LogAdvice[] {
  for (const line of logLines.toReversed()) {
    if (OTHER_PROCESSOR.test(line))
      return [
        {
          finding: "the log says that the image is for another processor than the node's",
          step: `Build it for the processors of the cluster, ${BUILD}`,
        },
      ]
    const file = DENIED_FILE.exec(line)?.[1]
    if (file !== undefined)
      return [
        {
          finding: `the log says that the program may not use ${file}`,
          step:
            'An agent runs as user 1000. It may write to /tmp, HOME and its volume: correct the ' +
            `path, ${BUILD}`,
        },
      ]
    for (const { pattern, what, step } of PARTS) {
      const name = pattern.exec(line)?.[1]
      if (name !== undefined)
        return [{ finding: `the log says that ${what(name)} is missing in the image`, step }]
    }
  }
  return []
}
