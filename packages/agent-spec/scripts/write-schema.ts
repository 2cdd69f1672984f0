import { writeFileSync } from 'node:fs'

import { agentSpecSchema } from '../src/shape/json-schema.ts'

// Writes schema/astroai.schema.json; a test fails while the file differs from what the shape says.
writeFileSync(
  new URL('../schema/astroai.schema.json', import.meta.url),
  `${JSON.stringify(agentSpecSchema, null, 2)}\n`,
)
