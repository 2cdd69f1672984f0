/** What is between `://` and `@` of an address. With SSH, it is no secret: a user who has a key. */
const LOGIN = /(?<=(?<!ssh):\/\/)[^/?#\s"'`<>]+@(?=[\w[])/gi
/** The name of a variable in place of a password. */
const VARIABLE = /^(\$\{\w+\}|\$\w+|%\w+%)$/
/** Users without a password who are no secret: others have a token as their name. */
const USER = /^(git|hg|oauth2accesstoken|vsssessiontoken)$/i

/** Returns a text without the logins in its addresses. Names of variables stay. */
export function withoutLogins(text: string): string {
  return text.replace(LOGIN, (login) => {
    const [user = '', password] = login.slice(0, -1).split(':', 2)
    const isPublic = VARIABLE.test(password ?? user) || (password === undefined && USER.test(user))
    return isPublic ? login : ''
  })
}

/** Whether a text has an address with a login. */
export function hasLogin(text: string): boolean {
  return withoutLogins(text) !== text
}
