import { isRecord, type JsonRecord } from './plain-json.ts'

/** How a function of Python was called, as instrumentations and decorators send it. */
export interface PythonCall {
  readonly args: readonly unknown[]
  readonly kwargs: JsonRecord
}

/** Returns the call that a value is; undefined for all other values. */
export function pythonCallIn(value: unknown): PythonCall | undefined {
  if (!isRecord(value)) return undefined
  const { args, kwargs } = value
  return Array.isArray(args) && isRecord(kwargs) ? { args, kwargs } : undefined
}
