const IMAGE = /^[A-Za-z0-9[][A-Za-z0-9._:/@[\]-]*$/

/**
 * What is wrong with an image reference; absent when nothing is. Whether it exists only the cluster
 * can tell.
 */
export function imageProblem(image: string): string | undefined {
  if (image === '') return 'an image is required'
  return image.length > 512 || !IMAGE.test(image) ? 'not an image reference' : undefined
}
