import type { Schemas } from '@slipway/client'

import { jsonDiff, type Difference } from './json-diff.ts'

type Settings = Schemas['RevisionSettings']

/** How the settings of two revisions differ. Only the names of credentials are known. */
export function settingChanges(
  before: Settings | undefined,
  after: Settings | undefined,
): readonly Difference[] {
  return jsonDiff(comparable(before), comparable(after))
}

/** Settings whose lists are compared by their members, and not by their order. */
function comparable(settings: Settings | undefined): object {
  if (settings === undefined) return {}
  const { interfaces, schedules, overrides, credentials } = settings
  return {
    overrides,
    schedules,
    interfaces: Object.fromEntries(interfaces.map((name) => [name, 'on'])),
    credentials: Object.fromEntries(credentials.map((name) => [name, 'set'])),
  }
}
