/**
 * Frees the memory of a buffer at once, and leaves it empty. Otherwise the memory is freed when the
 * collector looks at all objects: that stops the process, and large buffers would make it necessary
 * more than once a second. Does nothing to a buffer that shares its memory with others.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
