import { Type } from 'typebox'

import { AnyText, Time } from '../../http/schemas/kinds.ts'

const ClusterEvent = Type.Object(
  {
    reason: AnyText('One word of Kubernetes, e.g. `Unhealthy`'),
    message: AnyText('The message of Kubernetes, without values of credentials'),
    count: Type.Integer({ description: 'How often it has occurred' }),
    first_seen: Time('When it first occurred'),
    last_seen: Time('When it last occurred'),
  },
  { title: 'ClusterEvent', description: 'The event of the cluster that explains the failure' },
)

const ComponentFailure = Type.Object(
  {
    component: AnyText('Component name, e.g. `agent`'),
    pod: Type.Optional(AnyText('Pod name; absent if the cluster could not create a pod')),
    container: Type.Optional(AnyText('The container that failed, if it is a container')),
    restarts: Type.Optional(Type.Integer({ description: 'Number of restarts of the container' })),
    exit_code: Type.Optional(
      Type.Integer({ description: 'Exit code of the last run of the container' }),
    ),
    reason: AnyText('One word of Kubernetes, e.g. `OOMKilled`, `ImagePullBackOff`, `Unhealthy`'),
    message: AnyText('What happened'),
    original: Type.Optional(AnyText("The cluster's own words for `message`")),
    since: Type.Optional(Time('Since when the pod is not ready')),
    log_lines: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The last lines of the log of the container, at most 20 lines and 4 KiB, without ' +
          'values of credentials. They are read for this response and never stored',
      }),
    ),
    log_url: Type.Optional(AnyText('Path and query of the request for the whole log')),
    event: Type.Optional(ClusterEvent),
    next: Type.Array(Type.String(), { description: 'What to do, one step each' }),
    log_steps: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Those of `next` that follow from what the log says',
      }),
    ),
  },
  { title: 'ComponentFailure', description: 'Why a component is not ready' },
)

/** Why components are not ready. */
export const Failures = Type.Array(ComponentFailure, {
  description:
    'Why components are not ready, as seen in the cluster during the request, sorted by ' +
    'component, at most 10',
})
