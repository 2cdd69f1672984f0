import { parseQuantity } from '@slipway/agent-spec'
import type { ConfigReader } from '@slipway/shared/config'

import type { EphemeralStorage } from '../manifests/settings.ts'

/** Reads the bounds of the space that a container may use on its node. */
export function readEphemeralStorage(reader: ConfigReader): EphemeralStorage {
  const request = reader.string('POD_EPHEMERAL_STORAGE_REQUEST', '100Mi')
  const [limit, modelLimit] = [
    quantity(reader, 'POD_EPHEMERAL_STORAGE_LIMIT', '10Gi', request),
    quantity(reader, 'MODEL_EPHEMERAL_STORAGE_LIMIT', '50Gi', request),
  ]
  return Object.freeze({ request, limit, modelLimit })
}

function quantity(reader: ConfigReader, name: string, fallback: string, request: string): string {
  const text = reader.string(name, fallback)
  const limit = parseQuantity(text)
  // A request of 0 suits nodes that don't isolate their local storage.
  const least = request === '0' ? 0 : parseQuantity(request)
  if (limit === undefined) reader.report(`${name}: must be a quantity like 500Mi or 10Gi`)
  else if (least === undefined || least > limit)
    reader.report(`POD_EPHEMERAL_STORAGE_REQUEST: must be a quantity of at most ${name} (${text})`)
  return text
}
