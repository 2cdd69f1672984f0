/** Whether a text has the form of a user's id; anything else can't exist. */
export function isUserId(text: string): boolean {
  return isUuid(text)
}

/** Whether a text has the form of an account's id; anything else can't exist. */
export function isAccountId(text: string): boolean {
  return isUuid(text)
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
