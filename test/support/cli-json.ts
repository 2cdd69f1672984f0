import { allCommands } from '@slipway/cli/all-commands'
import { resultSchema } from '@slipway/cli/result-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import { readApiDocument, type ApiDocument } from '../contract/support/api-document.ts'
import { recordResult } from './record-result.ts'

let document: Promise<ApiDocument> | undefined

/**
 * How the JSON of a command, for example of `context list`, differs from what is documented for it.
 * Undefined if it doesn't. `status` is that of the API's response, where a command prints its body.
 * Where the user chooses the operation, as with `api`, the body can be any.
 */
export async function problemWithJson(
  name: string,
  value: unknown,
  status = 200,
): Promise<string | undefined> {
  const command = allCommands().find((each) => each.name === name)
  if (command === undefined) return `there is no command ${name}`
  const { anyBody, bodyOf, hasNames, lines } = command.definition.json
  recordResult(name, lines === true, value)
  if (anyBody) return undefined
  if (bodyOf !== undefined) {
    const operations = typeof bodyOf === 'string' ? [bodyOf] : bodyOf
    const body = hasNames ? withoutNames(value) : value
    const problems = operations.map((each) => problemWithBody(each, body, status))
    const found = await Promise.all(problems)
    return found.includes(undefined) ? undefined : found.join('\n')
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const validate = ajv.compile(closed(await resultSchema(name)) as object)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** Without the names that the command line adds to the ids of people. */
function withoutNames(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).filter(([key]) => !key.endsWith('_by_name')))
      : member,
  )
}

/** How a value differs from the body of an operation of the API. Undefined if it doesn't. */
export async function problemWithBody(
  operation: string,
  value: unknown,
  status = 200,
): Promise<string | undefined> {
  document ??= readApiDocument()
  return (await document).problemWith(operation, status, 'application/json', value)
}

/** The schema without members that it doesn't list. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).map(([name, member]) => [name, closed(member)])
  const isOpenObject = 'properties' in schema && !('additionalProperties' in schema)
  return { ...Object.fromEntries(members), ...(isOpenObject && { additionalProperties: false }) }
}
