import { agentSpecSchema, AGENT_SPEC_SCHEMA_PATH } from '@slipway/agent-spec/schema'
import { Type } from 'typebox'

import type { App } from '../../http/app-type.ts'

const SCHEMA_TEXT = JSON.stringify(agentSpecSchema)
const CACHE_CONTROL = 'public, max-age=3600, stale-while-revalidate=86400'

/** `GET /schemas/astroai.schema.json`: the JSON Schema of agent spec files, for editors. */
export function addGetAgentSpecSchemaRoute(app: App): void {
  app.get(
    AGENT_SPEC_SCHEMA_PATH,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getAgentSpecSchema',
        summary: 'JSON Schema of astroai.yml',
        description: 'For editors that complete and check agent specs.',
        tags: ['schemas'],
        response: {
          200: {
            description: 'The schema (draft 2020-12); its $id is this path',
            content: {
              'application/schema+json': {
                schema: Type.Unsafe<string>({
                  type: 'object',
                  additionalProperties: true,
                  description: 'A JSON Schema',
                }),
                example: { $id: AGENT_SPEC_SCHEMA_PATH },
              },
            },
          },
        },
      },
    },
    async (_request, reply) =>
      await reply
        .header('cache-control', CACHE_CONTROL)
        .type('application/schema+json')
        .serializer((text: string) => text)
        .send(SCHEMA_TEXT),
  )
}
