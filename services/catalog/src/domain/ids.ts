/** Whether a text has the shape of a user's id: what isn't shaped so can't exist. */
export function isUserId(text: string): boolean {
  return isUuid(text)
}

/** Whether a text has the shape of an account's id. */
export function isAccountId(text: string): boolean {
  return isUuid(text)
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
