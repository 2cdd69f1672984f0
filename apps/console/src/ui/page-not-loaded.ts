/** The program of a page could not be read: the server is away, or has a newer console. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('Slipway does not answer, or was updated since you opened the console.', { cause })
    this.name = 'PageNotLoaded'
  }
}

/** Reads the program of a page. Throws PageNotLoaded if it can't. */
export function readPage<Module>(read: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await read()
    } catch (error) {
      // The router would load the address again, and the browser then leave the console.
      throw new PageNotLoaded(error)
    }
  }
}
