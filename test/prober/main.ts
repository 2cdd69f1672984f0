import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

import { login } from '@slipway/identity-provider/device-login'
import { resolveLocalhostNames } from '@slipway/local/process/localhost-names'

import { Probe } from './probe.ts'
import { tableOf } from './report.ts'

// `./dev probe [OPTIONS]` sends a mixed workload to an install, counts what fails, and looks for
// everything that was acknowledged. Prints a table on stderr and the report as JSON on stdout.
// Exits with 1 if anything failed or is missing. The environment of the stack has the defaults, and
// KUBECONFIG, with which the ingest tokens of the deployed agents are read.
const { env } = process
const { values } = parseArgs({
  options: {
    /** The gateway's URL, without a path. */
    url: { type: 'string', default: env['SLIPWAY_URL'] ?? '' },
    /** A file with the access token of a user; several share the load. It is read again. */
    'token-file': { type: 'string', multiple: true, default: [] },
    /** Users of the development identity provider, unless there are token files. */
    users: { type: 'string', default: 'alice,bob,carol,mallory' },
    'otlp-url': { type: 'string', default: env['SLIPWAY_OTLP_URL'] },
    'otlp-grpc': { type: 'string', default: env['SLIPWAY_OTLP_GRPC'] },
    /** The image of the agents, which listens on port 8080; without one, nothing is deployed. */
    image: { type: 'string', default: env['SLIPWAY_PROBE_IMAGE'] },
    agents: { type: 'string', default: '3' },
    /** Requests per second. */
    rate: { type: 'string', default: '200' },
    /** 0: until SIGINT. */
    seconds: { type: 'string', default: '60' },
    /** Send traces again after a 503, as exporters do. */
    retry: { type: 'boolean', default: false },
  },
})
if (values.url === '') throw new Error('--url or SLIPWAY_URL must be the URL of a gateway')
resolveLocalhostNames()

/** Shorter than a token is valid. */
const TOKEN_FOR_MS = 30 * 60_000
const tokens =
  values['token-file'].length > 0
    ? values['token-file'].map((file) => kept(async () => (await readFile(file, 'utf8')).trim()))
    : values.users.split(',').map((user) => kept(() => login(env['SLIPWAY_ISSUER'] ?? '', user)))

/** Keeps a token for a while. */
function kept(fetchToken: () => Promise<string>): () => Promise<string> {
  let token: Promise<string> | undefined
  let fetchedAt = 0
  return () => {
    if (token === undefined || performance.now() - fetchedAt > TOKEN_FOR_MS) {
      token = fetchToken()
      fetchedAt = performance.now()
    }
    return token
  }
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

console.error('  deploying agents')
await using probe = await Probe.open({
  url: values.url,
  tokens,
  image: values.image,
  agents: Number(values.agents),
  otlpUrl: values['otlp-url'],
  otlpGrpc: values['otlp-grpc'],
  retries: values.retry,
})
const seconds = Number(values.seconds)
console.error(`  sending ${values.rate} requests a second to ${values.url}`)
const ends = seconds > 0 ? [AbortSignal.timeout(seconds * 1000), stop.signal] : [stop.signal]
const report = await probe.run({ rate: Number(values.rate), signal: AbortSignal.any(ends) })
console.error(tableOf(report))
console.log(JSON.stringify(report))
process.exitCode = report.ok ? 0 : 1
