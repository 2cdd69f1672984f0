/** A user name and a password for a registry. */
export interface PasswordLogin {
  readonly user: string
  readonly password: string
}

/**
 * Reads the password of an entry of `auths`, in what docker, podman and Kubernetes call a docker
 * config: `auth` before `username` and `password`, as they do. Undefined if it has none.
 */
export function readPassword(entry: unknown): PasswordLogin | undefined {
  const { auth, username, password } = { ...(entry as Readonly<Record<string, unknown>> | null) }
  const text = Buffer.from(textOf(auth), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const login =
    colon >= 0
      ? // Docker pads some passwords with NUL.
        { user: text.slice(0, colon), password: text.slice(colon + 1).replace(/\0+$/, '') }
      : { user: textOf(username), password: textOf(password) }
  return login.user === '' && login.password === '' ? undefined : login
}

/** Returns the `Authorization` of a login. */
export function basicAuthorization({ user, password }: PasswordLogin): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
