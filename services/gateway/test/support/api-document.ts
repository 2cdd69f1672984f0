import type { LoneGateway } from './lone-gateway.ts'

/** A parameter of an operation. */
interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: { readonly default?: unknown }
}

/** A body in a media type. */
interface Media {
  readonly schema: object
  readonly example?: unknown
}

/** A response of an operation, or a reference to one. */
interface Response {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, Media>>
}

/** An operation of the API. */
export interface Operation {
  readonly operationId?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: unknown
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Media> }
  readonly responses: Readonly<Record<string, Response>>
}

/** The parts of the API document that tests read. */
export interface Document {
  readonly openapi: string
  readonly info: { readonly version: string; readonly description: string }
  /** The security of operations without their own. */
  readonly security?: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly description?: string }>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Response>>
  }
  readonly tags: readonly { readonly name: string }[]
}

/** Reads the document, with the parameters of its operations in place of their references. */
export async function readApiDocument(gateway: LoneGateway): Promise<{
  readonly document: Document
  readonly operations: readonly [string, Operation][]
  readonly bytes: number
}> {
  const { body, text } = await gateway.send('GET', '/api/v1/openapi.json')
  const document = body as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      { ...operation, parameters: parametersOf(document, operation) },
    ]),
  )
  return { document, operations, bytes: Buffer.byteLength(text) }
}

function parametersOf({ components }: Document, { parameters = [] }: Operation): Parameter[] {
  return parameters.map((each) => components.parameters[lastName(each)] ?? each)
}

/** The responses of an operation by status, in place of their references. */
export function responsesOf(
  { components }: Document,
  { responses }: Operation,
): [string, Response][] {
  return Object.entries(responses).map(([status, response]) => [
    status,
    components.responses[lastName(response)] ?? response,
  ])
}

function lastName({ $ref = '' }: { readonly $ref?: string }): string {
  return $ref.split('/').at(-1) ?? ''
}
