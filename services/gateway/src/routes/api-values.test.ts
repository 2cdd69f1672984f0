import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const PRINTER = fileURLToPath(new URL('../../scripts/print-api-document.ts', import.meta.url))

/**
 * The values that texts of the API can have. Most are the names of a proto's values, so a new one
 * there becomes public: add it here only if the API is to have it, and remove none.
 */
const VALUES = {
  AccountType: 'personal team',
  BuildChoice: 'newest build, newest published, asked for, current',
  ComponentKind: 'agent model knowledge tool ingestion messaging unspecified',
  CostSource: 'sender prices base_prices',
  DeployStatus: 'success partial',
  DeploymentEventType:
    'snapshot requested applied partial failed state_changed undeploy_requested undeployed ' +
    'ingest_token_rotated ingestion_failed unspecified',
  DeploymentState: 'progressing ready degraded failed undeploying undeployed',
  EndpointType: 'http web slack webhook unspecified',
  'ImageCheck.availability': 'available not_found no_access unknown',
  'Ingestion.trigger': 'schedule startup manual webhook',
  'IngestionRun.state': 'pending running succeeded failed canceled',
  'IngestionRun.trigger': 'schedule startup manual',
  LimitUnit: 'count bytes millicores',
  MachineTokenRole: 'admin member',
  MessageRole: 'user assistant system tool',
  PlannedAction: 'create change delete unchanged rejected',
  ResourceStatus: 'created updated unchanged pruned failed',
  RevisionState: 'applying applied partial failed superseded',
  Role: 'owner admin member',
  SpanKind: 'internal server client producer consumer unspecified',
  SpanType: 'agent model tool retrieval embedding guardrail chain',
  TraceStatus: 'ok error',
}

test('the API has these values and no others', () => {
  const text = execFileSync(process.execPath, [PRINTER], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  const { components } = JSON.parse(text) as { components: { schemas: object } }
  expect(Object.fromEntries(valuesIn(components.schemas))).toEqual(VALUES)
})

/** Finds the schemas with several values, each by its path. */
function* valuesIn(schema: object, path = ''): Iterable<readonly [string, string]> {
  for (const [name, part] of Object.entries(schema) as [string, unknown][]) {
    if (typeof part !== 'object' || part === null) continue
    if (name !== 'enum') yield* valuesIn(part, name === 'properties' ? path : join(path, name))
    else if (Array.isArray(part) && part.length > 1) yield [path, listOf(part)]
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

function listOf(values: readonly string[]): string {
  return values.join(values.some((value) => value.includes(' ')) ? ', ' : ' ')
}
