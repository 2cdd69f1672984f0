import { templateImages, type DeploymentTemplate } from '@slipway/agent-spec'

import type { ImageAccess } from '../images/image-access.ts'

/**
 * Reports images that the account `sourceAccountId`, which owns the agent, may not use, as
 * `path: problem`.
 */
export function imageProblems(
  template: DeploymentTemplate,
  sourceAccountId: string,
  images: Pick<ImageAccess, 'problemOf'>,
): string[] {
  return templateImages(template).flatMap(({ path, image }) => {
    const problem = images.problemOf(sourceAccountId, image)
    return problem === undefined ? [] : [`${path}: ${problem}`]
  })
}
