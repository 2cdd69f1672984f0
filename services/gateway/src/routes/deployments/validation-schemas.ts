import { Type } from 'typebox'

import { exampleProblem, ProblemBody } from '../../http/schemas/problem-schemas.ts'
import { about, Text } from '../../http/schemas/kinds.ts'
import { ChosenBuild } from '../build-choice.ts'
import { AgentName, BuildId } from '../names.ts'
import { validExample } from './examples.ts'
import { ImageCheck } from './image-checks.ts'
import { PlannedChange } from './plan-json.ts'

export const Valid = Type.Object(
  {
    valid: Type.Literal(true, { description: 'The deploy is valid' }),
    build_id: about(BuildId, 'The build that would be deployed'),
    ...ChosenBuild,
    name: AgentName,
    source_account_id: Type.Optional(
      Text('Id of the account that owns the agent: opaque and permanent'),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'As `path: reason`: unknown fields and query parameters, credentials that no ' +
          'component declares, and a yanked version; with dry_run=server, also objects that the ' +
          'cluster would reject',
      }),
    ),
    plan: Type.Optional(
      Type.Array(PlannedChange, {
        description:
          'What the deploy would do to each object, in its order; only with dry_run=server. ' +
          'Empty if the deployer has lost its rights in the namespace',
      }),
    ),
    images: Type.Optional(
      Type.Array(ImageCheck, {
        description: 'The images of the deploy; only with dry_run=server',
      }),
    ),
  },
  {
    title: 'ValidDeployment',
    description: 'The deploy would pass its checks',
    examples: [validExample],
  },
)

/** The problem body of an invalid deploy. */
export const Invalid = Type.Unsafe<object>({
  description:
    'Invalid request body or parameters, or the deploy would fail its checks. ' +
    '`validation_errors` has at most 100 entries, and `detail` says if there are more',
  content: {
    'application/problem+json': {
      schema: Type.Interface(
        [ProblemBody],
        { valid: Type.Literal(false, { description: 'The deploy is not valid' }) },
        { title: 'InvalidDeployment', description: 'Why a deploy would fail its checks' },
      ),
      example: {
        ...exampleProblem(400, {
          code: 'validation_failed',
          detail: 'the deployment is not valid',
          validation_errors: [
            'user_credentials.SUPPORT_API_TOKEN: a required credential is missing',
          ],
        }),
        valid: false,
      },
    },
  },
})
