export { parseChallenge, type Challenge } from './challenge.ts'
export { basicAuthorization, readPassword, type PasswordLogin } from './password-login.ts'
export { isRedirect } from './redirect.ts'
export { readToken, tokenQuery } from './token.ts'
