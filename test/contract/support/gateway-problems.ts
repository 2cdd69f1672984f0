import type { Gateway } from '@slipway/gateway'

import { tokenOf } from '../../support/api.ts'
import { methodOf, pathOf, type Case } from '../cases/case.ts'
import type { ApiDocument } from './api-document.ts'

/** A case of any route, with any JSON as its body. */
type AnyCase = Omit<Case, 'body'> & { readonly body?: unknown }

/** Sends a case to a gateway, as alice or without a token; returns the parts to compare. */
export async function problemOf(gateway: Gateway, api: ApiDocument, each: AnyCase) {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (each.caller !== 'anonymous') headers.set('authorization', `Bearer ${await tokenOf('alice')}`)
  const response = await fetch(`${gateway.url}/api/v1${pathOf(each)}`, {
    method: methodOf(each),
    headers,
    ...(each.body === undefined ? {} : { body: JSON.stringify(each.body) }),
  })
  const contentType = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    problem: api.problemWith(each.route, response.status, contentType, await response.json()),
  }
}
