/** The part of the library that images use. */
declare module 'env-ci' {
  export default function envCi(options: {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly cwd: string
  }): {
    readonly isCi: boolean
    readonly commit?: string
    readonly branch?: string
    /** The branch of a pull request. */
    readonly prBranch?: string
    readonly buildUrl?: string
  }
}
