/** A registered build, and what the API says about it. */
export interface Registered {
  readonly name: string
  readonly build_id: string
  readonly warnings: readonly string[]
}

/**
 * The command that deploys a registered build. A deploy takes the newest build if it names none;
 * the API warns if that is another one.
 */
export function deployCommand({ name, build_id: build, warnings }: Registered): string {
  const isOlder = warnings.some((each) => each.endsWith(`deploy with "build_id": "${build}"`))
  return isOlder ? `slipway deploy ${name} --build ${build}` : `slipway deploy ${name}`
}
