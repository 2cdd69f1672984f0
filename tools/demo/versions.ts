/** A build in the response to `GET /agents/{account}/{name}`. */
export interface ListedVersion {
  readonly build_id: string
  readonly version?: string
}

/**
 * Returns the version to publish a build under: its current version if it has one, 1.0.0 for the
 * first build, otherwise the next patch version.
 */
export function versionFor(buildId: string, versions: readonly ListedVersion[]): string {
  const own = versions.find((version) => version.build_id === buildId)?.version
  if (own !== undefined) return own
  const published = versions.flatMap(({ version }) => {
    const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version ?? '')
    return parts === null ? [] : [[Number(parts[1]), Number(parts[2]), Number(parts[3])] as const]
  })
  const [highest] = published.sort(
    (left, right) => right[0] - left[0] || right[1] - left[1] || right[2] - left[2],
  )
  return highest === undefined ? '1.0.0' : `${highest[0]}.${highest[1]}.${highest[2] + 1}`
}
