import { Code } from '@connectrpc/connect'

const NAMES = new Map(
  Object.entries(Code).flatMap(([name, code]) =>
    typeof code === 'number'
      ? [[code, name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()] as const]
      : [],
  ),
)

/** The name of a status code in lower snake case, e.g. `permission_denied`. */
export function codeName(code: Code): string {
  return NAMES.get(code) ?? 'unknown'
}
