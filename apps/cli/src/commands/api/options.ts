/** The methods of the API. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type Method = (typeof methods)[number]

export interface ApiFlags {
  readonly field?: readonly string[]
  readonly input?: string
  readonly header?: readonly string[]
  readonly paginate: boolean
  readonly include: boolean
}
