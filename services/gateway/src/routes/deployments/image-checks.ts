import {
  ImageAvailability,
  type ImageCheck as ImageCheckMessage,
} from '@slipway/proto/slipway/deployer/v1/image_check'
import { Type } from 'typebox'

import { AnyText, Choice } from '../../http/schemas/kinds.ts'

export const ImageCheck = Type.Object(
  {
    path: AnyText('Its path in the deployment template'),
    image: AnyText('The image, with its digest if known'),
    availability: Choice(['available', 'not_found', 'no_access', 'unknown'], {
      description:
        'What its registry has answered. no_access: it has no such image, or wants other ' +
        'credentials. unknown: it could not be asked',
    }),
    message: Type.Optional(AnyText('What is wrong, and what to do')),
  },
  { title: 'ImageCheck', description: 'An image of a deploy, and whether it can be pulled' },
)

const NAMES: Readonly<Record<number, 'available' | 'not_found' | 'no_access'>> = {
  [ImageAvailability.AVAILABLE]: 'available',
  [ImageAvailability.NOT_FOUND]: 'not_found',
  [ImageAvailability.NO_ACCESS]: 'no_access',
}

/** The check of an image in the REST API. */
export function toImageJson({ path, image, availability, message }: ImageCheckMessage) {
  return {
    path,
    image,
    availability: NAMES[availability] ?? ('unknown' as const),
    ...(message === '' ? {} : { message }),
  }
}
