import { Type, type TUnsafe } from 'typebox'

/** The schema of a member that is the body of an operation of the API, like `GET /me`. */
export function bodyOf<Body>(operation: string): TUnsafe<Body> {
  return Type.Unsafe<Body>({
    type: 'object',
    description: `The body of \`${operation}\``,
    'x-body-of': operation,
  })
}
