import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchema } from 'fastify'

/** Bodies are checked as they are; path and query parameters, which are text, become what their schema says. */
export function addValidation(app: FastifyInstance): void {
  const options = { allErrors: true, useDefaults: true, removeAdditional: false, strict: false } as const
  const strict = new Ajv({ ...options, coerceTypes: false })
  const coercing = new Ajv({ ...options, coerceTypes: true })
  for (const ajv of [strict, coercing]) addFormats.default(ajv, ['date-time'])
  app.setValidatorCompiler<FastifySchema>(({ schema, httpPart }): ValidateFunction =>
    (httpPart === 'body' ? strict : coercing).compile(schema),
  )
}
