import { isRecord } from './plain-json.ts'

/** How Python shows an object: `Message(role='user')`, or `role='user'` by some libraries. */
const OBJECT = /^(?:\w+\()?\w+=/

/**
 * Whether a value has texts of objects of Python in place of messages, as instrumentations send
 * what they can't convert. They don't show what was said.
 */
export function isPythonObjects(value: unknown): boolean {
  if (!isRecord(value)) return false
  return Object.values(value).some(
    (list) =>
      Array.isArray(list) &&
      list.length > 0 &&
      list.every((each) => typeof each === 'string' && OBJECT.test(each)),
  )
}
