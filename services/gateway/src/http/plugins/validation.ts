import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchema } from 'fastify'

const INTEGER = /^-?\d+$/
const DECIMAL = /^-?\d+(\.\d+)?$/

type Check = ((value: unknown) => boolean) & {
  errors?: NonNullable<ValidateFunction['errors']> | null
}

interface Parameters {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>
}

/**
 * Checks requests against their route's schema. Nothing in a body is converted. Path and query
 * parameters are strings: where the schema requires an integer or a number, decimal digits are
 * converted, in a number also with a fraction; where it requires a boolean, `true` and `false` are.
 */
export function addValidation(app: FastifyInstance): void {
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    removeAdditional: false,
    strict: false,
  })
  addFormats.default(ajv, ['date-time'])
  app.setValidatorCompiler<FastifySchema>(({ schema, httpPart }): Check => {
    const validate = ajv.compile(schema)
    return httpPart === 'body' ? validate : withConvertedParameters(validate, schema as Parameters)
  })
}

function withConvertedParameters(
  validate: ValidateFunction,
  { properties = {} }: Parameters,
): Check {
  const converted = Object.entries(properties).flatMap(([name, { type }]) => {
    const convert = typeof type === 'string' ? CONVERSIONS[type] : undefined
    return convert === undefined ? [] : [[name, convert] as const]
  })
  if (converted.length === 0) return validate
  const check: Check = (value) => {
    const parameters = value as Record<string, unknown>
    for (const [name, convert] of converted) {
      const text = parameters[name]
      if (typeof text === 'string') parameters[name] = convert(text)
    }
    const isValid = validate(parameters)
    check.errors = validate.errors ?? null
    return isValid
  }
  return check
}

/** Any other value stays a string, which then fails validation. */
const CONVERSIONS: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (INTEGER.test(text) ? Number(text) : text),
  number: (text) => (DECIMAL.test(text) ? Number(text) : text),
  boolean: (text) => text === 'true' || (text === 'false' ? false : text),
}
