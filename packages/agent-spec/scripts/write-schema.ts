import { writeFileSync } from 'node:fs'

import { agentSpecSchema } from '../src/shape/json-schema.ts'

// Writes schema/astroai.schema.json. A test fails if the file differs from the shape.
writeFileSync(
  new URL('../schema/astroai.schema.json', import.meta.url),
  `${JSON.stringify(agentSpecSchema, null, 2)}\n`,
)
