/** What is between `://` and `@` of an address that package managers read; SSH has keys instead. */
const LOGIN = /(?<=\bhttps?:\/\/)[^/?# \t\r\n"'`<>]+@(?=[^\s/])/gi
/** The name of a variable in place of a password: one that pip, npm, uv or Bun replaces. */
const VARIABLE = /^(?:\$\{\w+\}|\$[A-Z_][A-Z\d_]*|%\w+%)$/
/** Names of users that are not secrets: other users without a password have a token as name. */
const USER = /^(git|hg|oauth2accesstoken|vsssessiontoken)$/i

/** Returns a text without the logins in its addresses. Names of variables stay. */
export function withoutLogins(text: string): string {
  return text.replace(LOGIN, (match) => {
    const login = match.slice(0, -1)
    // A password may have colons, a user may not.
    const colon = login.indexOf(':')
    const isPublic = isVariable(login.slice(colon + 1)) || (colon === -1 && USER.test(login))
    return isPublic ? match : ''
  })
}

/** Whether a text is the name of a variable that package managers replace with its value. */
export function isVariable(text: string): boolean {
  return VARIABLE.test(text)
}
