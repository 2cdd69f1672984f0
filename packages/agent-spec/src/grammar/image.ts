const IMAGE = /^[A-Za-z0-9[][A-Za-z0-9._:/@[\]-]*$/

/**
 * Returns the problem with an image reference; undefined if it is well-formed. Doesn't check
 * whether the image exists.
 */
export function imageProblem(image: string): string | undefined {
  if (image === '') return 'an image is required'
  return image.length > 512 || !IMAGE.test(image) ? 'not a valid image reference' : undefined
}
