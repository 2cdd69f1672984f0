import { RegistryError } from '../../src/index.ts'

/** Returns the error of a push that a registry refuses. */
export async function failureOf(push: Promise<unknown>): Promise<RegistryError> {
  const error: unknown = await push.then(
    () => new Error('the push succeeded'),
    (reason: unknown) => reason,
  )
  if (error instanceof RegistryError) return error
  throw error
}
