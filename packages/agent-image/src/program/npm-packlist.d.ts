/** The part of npm's library that images use. */
declare module 'npm-packlist' {
  export default function packlist(tree: {
    readonly path: string
    readonly package: object
    readonly isProjectRoot: boolean
    readonly edgesOut: ReadonlyMap<string, unknown>
  }): Promise<string[]>
}
