let user: string | undefined

/** The user whom this page shows; undefined until one is signed in. */
export function shownUser(): string | undefined {
  return user
}

/**
 * Has all requests name the user whom this page shows. The cookie is that of all tabs, so the
 * server could otherwise serve a user who has signed in in another one.
 */
export function showUser(id: string): void {
  user ??= id
}
