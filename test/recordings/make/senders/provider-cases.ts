import type { SenderCase } from '../sender.ts'

/** What a sender doesn't send of a provider, in whole answers and in streams. */
export type Lacks = Readonly<Record<string, SenderCase['notSent']>>

/** The providers whose SDKs OpenLLMetry and OpenInference both instrument, with their APIs. */
export const sdkProviders: readonly string[] = [
  'anthropic',
  'anthropic-vertex',
  'anthropic-bedrock',
  'bedrock',
  'bedrock-invoke',
  'gemini',
  'vertex',
  'openai',
  'responses',
  'azure',
]

interface ProviderOptions {
  readonly mode: string
  readonly lacks?: Lacks
  /** Whole answers, streams, or both. */
  readonly kinds?: readonly ('' | '-stream')[]
}

/**
 * The cases of a sender that asks several providers, whole and as streams. They differ in what they
 * count as input and output.
 */
export function providerCases(
  providers: readonly string[],
  { mode, lacks = {}, kinds = ['', '-stream'] }: ProviderOptions,
): Record<string, SenderCase> {
  const entries = providers.flatMap((provider) =>
    kinds.map((kind) => {
      const name = `${provider}${kind}`
      const notSent = { ...lacks['all'], ...lacks[provider], ...lacks[name] }
      const scenario = kind === '' ? 'cached' : 'cached-stream'
      return [name, { scenario, mode: `${mode}+${provider}`, notSent }] as const
    }),
  )
  return Object.fromEntries(entries)
}

/** The same, with the mode in the names of the cases. */
export function namedCases(
  providers: readonly string[],
  options: ProviderOptions,
): Record<string, SenderCase> {
  const cases = Object.entries(providerCases(providers, options))
  return Object.fromEntries(cases.map(([name, each]) => [`${options.mode}-${name}`, each]))
}
