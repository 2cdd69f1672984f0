import {
  ImageAvailability,
  type ImageCheck as ImageCheckMessage,
} from '@slipway/proto/slipway/deployer/v1/image_check'
import { nameOf, namesOf } from '@slipway/shared/enum-names'
import { Type } from 'typebox'

import { AnyText, Choice } from '../../http/schemas/kinds.ts'

export const ImageCheck = Type.Object(
  {
    path: AnyText('Its path in the deployment template'),
    image: AnyText('The image, with its digest if known'),
    availability: Choice(namesOf(ImageAvailability), {
      description:
        'What its registry has answered. no_access: it has no such image, or wants other ' +
        'credentials. unknown: it could not be asked',
    }),
    message: Type.Optional(AnyText('What is wrong, and what to do')),
  },
  { title: 'ImageCheck', description: 'An image of a deploy, and whether it can be pulled' },
)

/** The check of an image in the REST API. */
export function toImageJson({ path, image, availability, message }: ImageCheckMessage) {
  return {
    path,
    image,
    availability: nameOf(ImageAvailability, availability) ?? 'unknown',
    ...(message === '' ? {} : { message }),
  }
}
