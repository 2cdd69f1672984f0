import type { Static } from 'typebox'

import { currentVersion } from '../../config/version.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { explain } from '../../command/explain.ts'
import { exitCodes } from '../../errors/exit-code.ts'
import { lines, type Block } from '../../output/blocks.ts'
import type { Style } from '../../output/style.ts'
import { failed, ok, type Check } from './check.ts'
import { checkConnection, skippedAll } from './checks/connection.ts'
import { checkBuilders, checkKeyring, checkProxy, checkSettings } from './checks/machine.ts'
import { checkClock, checkHttp, checkVersion } from './checks/server.ts'
import { checkProvider, checkToken } from './checks/sign-in.ts'
import type { schema } from './result.ts'

export type Doctor = Static<typeof schema>

const ON_SERVER = ['version', 'clock', 'token', 'identity provider']
const STYLES = { ok: 'good', warning: 'warning', failed: 'bad', skipped: 'faint' } as const

export const doctor: Implementation<object, [], Doctor> = {
  async run(cli) {
    const cli_version = await currentVersion()
    const checks = [
      await checkSettings(cli),
      await checkKeyring(cli),
      checkProxy(cli),
      ...(await checkServer(cli, cli_version)),
      await checkBuilders(cli),
    ]
    const is_healthy = checks.every(({ status }) => status !== 'failed')
    return { is_healthy, cli_version, node_version: process.version, checks }
  },

  view: ({ checks }) => [lines(...checks.flatMap(linesOf))],

  exitCode: ({ is_healthy }) => (is_healthy ? exitCodes.ok : exitCodes.failed),
}

async function checkServer(cli: Cli, version: string): Promise<Check[]> {
  const { signal } = cli
  let url: string
  try {
    ;({ url } = await cli.server())
  } catch (error) {
    const { message, next = 'slipway login URL' } = explain(error)
    return [failed('context', message, next)]
  }
  const chosen = ok('context', url)
  const connection = await checkConnection(url, signal)
  const broken = connection.find(({ status }) => status === 'failed')
  if (broken !== undefined)
    return [chosen, ...connection, ...skippedAll(['server', ...ON_SERVER], broken.name)]
  const { check, date } = await checkHttp(url, signal)
  const before = [chosen, ...connection, check]
  if (check.status === 'failed') return [...before, ...skippedAll(ON_SERVER, 'server')]
  const clock = checkClock(date, Date.now())
  const [versions, token, provider] = await Promise.all([
    checkVersion(url, version, signal),
    checkToken(cli),
    checkProvider(url, signal),
  ])
  return [...before, versions, clock, token, provider]
}

function linesOf({ name, status, detail, remedy }: Check): (Block & { kind: 'lines' })['lines'] {
  const style: Style = STYLES[status]
  return [
    [{ text: status.padEnd(7), style }, `  ${name}: ${detail}`],
    ...(remedy === undefined ? [] : [[{ text: `         ${remedy}`, style: 'accent' as const }]]),
  ]
}
