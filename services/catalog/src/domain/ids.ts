/** Whether a string has the form of a user id. No user has any other id. */
export function isUserId(text: string): boolean {
  return isUuid(text)
}

/** Whether a string has the form of an account id. No account has any other id. */
export function isAccountId(text: string): boolean {
  return isUuid(text)
}

/** Whether a string has the form of the id of a machine token. No token has any other id. */
export function isTokenId(text: string): boolean {
  return isUuid(text)
}

/** Whether a string has the form of the id of a lease. No lease has any other id. */
export function isLeaseId(text: string): boolean {
  return isUuid(text)
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
