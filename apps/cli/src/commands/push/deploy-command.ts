/** A registered build, and what the API says about it. */
export interface Registered {
  readonly name: string
  readonly build_id: string
  readonly warnings: readonly string[]
}

/** Whether a registered build isn't the newest one. The API warns that a deploy takes that one. */
export function isOlderBuild({ build_id: build, warnings }: Omit<Registered, 'name'>): boolean {
  return warnings.some((each) => isOfOlderBuild(each, build))
}

/** The other warnings: the folder of an earlier build remembers it, so its deploys take it. */
export function otherWarnings({ build_id: build, warnings }: Omit<Registered, 'name'>): string[] {
  return warnings.filter((each) => !isOfOlderBuild(each, build))
}

function isOfOlderBuild(warning: string, build: string): boolean {
  return warning.endsWith(`deploy with "build_id": "${build}"`)
}

/** The command that deploys a registered build, in any folder. */
export function deployCommand(registered: Registered): string {
  const { name, build_id: build } = registered
  return isOlderBuild(registered)
    ? `slipway deploy ${name} --build ${build}`
    : `slipway deploy ${name}`
}
