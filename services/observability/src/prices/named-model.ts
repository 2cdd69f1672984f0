import { matches } from './matches.ts'

/** The start of the name of a fine-tuned model: `ft:<model>:<organization>:<name>:<id>`. */
const FINE_TUNED = /^ft:([^:]+):/
/** What a router adds to the name of a model, such as `:nitro`. */
const VARIANT = /:[\w-]+$/
/** Such a variant has no price. */
const FREE = ':free'

/**
 * Returns the model that the name of another one contains, and its provider: the one that was
 * fine-tuned, or to which a router sends requests (`<provider>/<model>`). Undefined for others.
 */
export function namedModel(
  provider: string,
  model: string,
  routers: readonly string[],
): { readonly provider: string; readonly model: string } | undefined {
  const [vendor = '', name = ''] = `/${model}`.split('/').slice(-2)
  const base = FINE_TUNED.exec(name)?.[1]
  if (base !== undefined) return { provider, model: base }
  const isRouter = (each: string) => routers.some((pattern) => matches(each, pattern))
  if (!isRouter(provider) || name.endsWith(FREE)) return undefined
  return { provider: isRouter(vendor) ? '' : vendor, model: name.replace(VARIANT, '') }
}
