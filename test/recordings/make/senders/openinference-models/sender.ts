import { join } from 'node:path'

import type { Sender } from '../../sender.ts'
import { providerCases, sdkProviders } from '../provider-cases.ts'

/** OpenInference's instrumentations of the SDKs of providers. */
export const openinferenceModels: Sender = {
  name: 'openinference-models',
  folder: import.meta.dirname,
  program: join(import.meta.dirname, '../traceloop-models/program.py'),
  runtime: 'python',
  packages: [
    'openinference-instrumentation-anthropic',
    'openinference-instrumentation-bedrock',
    'openinference-instrumentation-google-genai',
    'openinference-instrumentation-openai',
  ],
  defaults: { env: { ANTHROPIC_OPEN_TELEMETRY: 'false' } },
  cases: providerCases(sdkProviders, { mode: 'openinference' }),
}
