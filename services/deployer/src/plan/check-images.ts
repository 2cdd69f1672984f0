import { pinnedImage, templateImages } from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import { IMAGE_PROBLEMS, imageRemedy, type ImageProblem } from './image-remedy.ts'
import type { PreparedDeploy } from './prepare-deploy.ts'

/** An image of a deploy, and what its registry says about it. */
export interface CheckedImage {
  readonly path: string
  readonly image: string
  readonly problem: ImageProblem | undefined
  /** What is wrong, and what to do; empty without a problem. */
  readonly message: string
}

/** Asks the registries whether they have the images of a deploy. */
export async function checkImages(
  context: DeployerContext,
  { filled, target }: PreparedDeploy,
  { userId, signal }: { readonly userId: string; readonly signal: AbortSignal },
): Promise<CheckedImage[]> {
  const images = templateImages(filled.template)
  const asked = await context.imageDigests.ask(
    [...new Set(images.map(({ image }) => image))],
    { user: userId, account: target.accountId },
    signal,
  )
  return images.map(({ path, image }) => {
    const answer = asked.get(image) ?? { problem: 'unavailable' }
    if ('digest' in answer)
      return { path, image: pinnedImage(image, answer.digest), problem: undefined, message: '' }
    const { problem } = answer
    return {
      path,
      image,
      problem,
      message: `${IMAGE_PROBLEMS[problem]}; ${imageRemedy(context, image, problem)}`,
    }
  })
}
