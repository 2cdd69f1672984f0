/** What is between `://` and `@` of an address; not with SSH, whose users have keys. */
const LOGIN = /(?<=(?<!ssh):\/\/)[^/?#\s"'`<>]+@(?=[\w[])/gi
/** The name of a variable in place of a password. */
const VARIABLE = /^(\$\{\w+\}|\$\w+|%\w+%)$/
/** Names of users that are not secrets: other users without a password have a token as name. */
const USER = /^(git|hg|oauth2accesstoken|vsssessiontoken)$/i

/** Returns a text without the logins in its addresses. Names of variables stay. */
export function withoutLogins(text: string): string {
  return text.replace(LOGIN, (login) => {
    const [user = '', password] = login.slice(0, -1).split(':', 2)
    const isPublic = VARIABLE.test(password ?? user) || (password === undefined && USER.test(user))
    return isPublic ? login : ''
  })
}
