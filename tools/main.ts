import { argv } from 'node:process'
import { say } from '@slipway/local/progress'
import { isUsageError } from '@slipway/local/usage-error'

interface Command {
  readonly usage: string
  readonly summary: string
  load(): Promise<{ readonly run: (args: readonly string[]) => Promise<number> }>
}

const commands: Readonly<Record<string, Command>> = {
  up: {
    usage:
      'up [--replicas NAME=N,…] [--port N] [--ingress-port N] [--internet] [--in-cluster] ' +
      '[--kubeconfig FILE]',
    summary:
      'start whatever is not running; CATALOG_DATABASE_URL, NATS_URL and others replace parts',
    load: async () => await import('./commands/up.ts'),
  },
  down: {
    usage: 'down [--purge]',
    summary: 'stop everything; --purge also deletes its data, volumes included',
    load: async () => await import('./commands/down.ts'),
  },
  status: {
    usage: 'status',
    summary: 'show which processes run and which have crashed',
    load: async () => await import('./commands/status.ts'),
  },
  token: {
    usage: 'token USER',
    summary: 'print an access token of alice, bob, carol or mallory',
    load: async () => await import('./commands/token.ts'),
  },
  kubectl: {
    usage: 'kubectl ARGS…',
    summary: "run kubectl as the administrator of the stack's cluster",
    load: async () => await import('./commands/kubectl.ts'),
  },
  tool: {
    usage: 'tool NAME ARGS…',
    summary: 'run helm, promtool, dex or another program that is built for the stack or its tests',
    load: async () => await import('./commands/tool.ts'),
  },
  logs: {
    usage: 'logs PART [-f] [-n LINES]',
    summary: 'show what a part has logged since up; -f follows',
    load: async () => await import('./commands/logs.ts'),
  },
  demo: {
    usage: 'demo [--in-cluster]',
    summary:
      'start the stack, then build, publish, deploy and call an example agent; ' +
      '--in-cluster: Slipway runs in the cluster, installed with its Helm chart',
    load: async () => await import('./commands/demo.ts'),
  },
  images: {
    usage: 'images list [REGISTRY] | images push [--insecure] REGISTRY [NAME…] | base [IMAGE]',
    summary:
      'build the images of the platform and print their digests; push: to a registry, with your ' +
      'docker credentials; base: record the digests of the base images in the Dockerfile',
    load: async () => await import('./commands/images.ts'),
  },
  build: {
    usage:
      'build [--registry REGISTRY] [--insecure] [--dockerfile | --project] [--base IMAGE] [FOLDER]',
    summary:
      'build and push the images of your agent, and print the body of the request that registers ' +
      'it; --dockerfile: only from Dockerfiles; --project: only from Node.js or Python projects',
    load: async () => await import('./commands/build.ts'),
  },
  test: {
    usage: 'test [--long | --full] [FILTER…] | test --changed [REV] | test e2e --url URL [FILTER…]',
    summary:
      'run the checks and tests, or the test files that match, on a separate stack; --long: what ' +
      'takes long, and random tests ten times as often; --full: what needs package registries; ' +
      '--changed: what a change can affect; --url: the end-to-end tests against an installation',
    load: async () => await import('./commands/test.ts'),
  },
  bench: {
    usage: 'bench NAME [OPTIONS]',
    summary: 'measure catalog, observability, or deploy (on the running stack)',
    load: async () => await import('./commands/bench.ts'),
  },
  probe: {
    usage: 'probe [OPTIONS]',
    summary:
      'send a mixed workload to the running stack, count what fails, and look for everything ' +
      'that was acknowledged; for upgrades. --url, --rate, --seconds, --retry and others',
    load: async () => await import('./commands/probe.ts'),
  },
  release: {
    usage: 'release',
    summary: 'write what later releases are tested with, on the running stack; see test/releases',
    load: async () => await import('./commands/release.ts'),
  },
  recordings: {
    usage: 'recordings [SENDER[/CASE]…]',
    summary: 'record again what agent frameworks send; see test/recordings. Needs Python with pip',
    load: async () => await import('./commands/recordings.ts'),
  },
  check: {
    usage: 'check',
    summary: 'run the static checks',
    load: async () => await import('./commands/check.ts'),
  },
}

function help(): string {
  const lines = Object.values(commands).map(({ usage, summary }) => `  ${usage}\n      ${summary}`)
  return `Usage: ./dev COMMAND\n\n${lines.join('\n')}\n  help\n      show this text`
}

async function main(args: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = args
  if (['help', '--help', '-h'].includes(name)) {
    console.log(help())
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    say(`dev: unknown command ${name}\n\n${help()}`)
    return 2
  }
  try {
    const { run } = await command.load()
    return await run(rest)
  } catch (error) {
    if (isUsageError(error)) {
      say(`dev: ${error.message}\nUsage: ./dev ${command.usage}`)
      return 2
    }
    say(
      process.env['SLIPWAY_DEBUG'] && error instanceof Error
        ? `${error.stack}`
        : `dev: ${messageOf(error)}`,
    )
    return 1
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

process.exitCode = await main(argv.slice(2))
