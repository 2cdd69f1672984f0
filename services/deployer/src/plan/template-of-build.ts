import {
  parseSpec,
  SpecSyntaxError,
  TemplateTooLargeError,
  type BuildTemplate,
} from '@slipway/agent-spec'
import { FailedPrecondition } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { DeployedBuild } from './choose-build.ts'

/**
 * Returns the template of a build, for a deployment in a namespace. Throws FailedPrecondition
 * `template_too_large` or `invalid_spec`: builds registered before the limits of a spec and its
 * template existed may exceed them.
 */
export function templateOfBuild(
  { templates }: DeployerContext,
  { sourceAccount, buildId, registry, specContent, imageDigests }: DeployedBuild,
  { agent, namespace }: { readonly agent: string; readonly namespace: string },
): BuildTemplate {
  try {
    return templates.of({
      specText: specContent,
      readText: (text) => parseSpec(text).spec,
      source: { account: sourceAccount, name: agent, build: buildId, registry },
      namespace,
      imageDigests,
    })
  } catch (error) {
    const reason =
      error instanceof TemplateTooLargeError
        ? 'template_too_large'
        : error instanceof SpecSyntaxError
          ? 'invalid_spec'
          : undefined
    if (reason === undefined) throw error
    const message = `the spec of the build: ${(error as Error).message}; register a new build`
    throw new FailedPrecondition(reason, message, { cause: error })
  }
}
