import { argv } from 'node:process'
import { say } from './progress.ts'
import { isUsageError } from './usage-error.ts'

interface Command {
  readonly usage: string
  readonly summary: string
  load(): Promise<{ readonly run: (args: readonly string[]) => Promise<number> }>
}

const commands: Readonly<Record<string, Command>> = {
  up: {
    usage:
      'up [--replicas NAME=N,…] [--port N] [--ingress-port N] [--internet] [--kubeconfig FILE]',
    summary:
      'start what does not run yet; parts are replaced by CATALOG_DATABASE_URL, NATS_URL and the like',
    load: async () => await import('./commands/up.ts'),
  },
  down: {
    usage: 'down [--purge]',
    summary: 'stop everything; --purge deletes all state, volumes included',
    load: async () => await import('./commands/down.ts'),
  },
  status: {
    usage: 'status',
    summary: 'what runs, what crashed',
    load: async () => await import('./commands/status.ts'),
  },
  token: {
    usage: 'token USER',
    summary: 'print an access token of alice, bob, carol or mallory',
    load: async () => await import('./commands/token.ts'),
  },
  kubectl: {
    usage: 'kubectl ARGS…',
    summary: "kubectl on the stack's cluster",
    load: async () => await import('./commands/kubectl.ts'),
  },
  logs: {
    usage: 'logs PART [-f] [-n LINES]',
    summary: 'what a part wrote since up',
    load: async () => await import('./commands/logs.ts'),
  },
  demo: {
    usage: 'demo',
    summary: 'take the example agent from its source to a running, observed deployment',
    load: async () => await import('./commands/demo.ts'),
  },
  test: {
    usage: 'test [FILTER]',
    summary:
      'run all checks and tests, or the tests in files whose path has FILTER, on a stack of their own',
    load: async () => await import('./commands/test.ts'),
  },
  bench: {
    usage: 'bench NAME [OPTIONS]',
    summary: 'measure catalog, deploy (on the stack) or observability',
    load: async () => await import('./commands/bench.ts'),
  },
  check: {
    usage: 'check',
    summary: 'run the static checks',
    load: async () => await import('./commands/check.ts'),
  },
}

function help(): string {
  const lines = Object.values(commands).map(({ usage, summary }) => `  ${usage}\n      ${summary}`)
  return `Usage: ./dev COMMAND\n\n${lines.join('\n')}\n  help\n      this text`
}

async function main(args: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = args
  if (['help', '--help', '-h'].includes(name)) {
    console.log(help())
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    say(`dev: there is no command ${name}\n\n${help()}`)
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
