import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../../support/api.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { registerSupportAgent } from '../../support/support-agent.ts'
import { guides, others, type GuideRun } from './guides/guides.ts'
import { shellBlocks } from './guides/read-guide.ts'

// The commands of the guides, in their order, in the shell of their readers.

const GUIDES = join(import.meta.dirname, '../../../docs/guide')
const packages = fromStack('SLIPWAY_TEMPLATE_PACKAGES')
const MARK = 'FAILED'

/**
 * What differs for a reader: a terminal asks, `curl` shows errors, Ctrl-C leaves streams, and
 * the names of agents lead to the ingress.
 */
const SHELL = `
set -o pipefail
trap 'printf "${MARK} %s\\n" "\${call:-$BASH_COMMAND}" >&2; call=' ERR
slipway() {
  call="slipway $*"
  case "$1 $*" in
    *--yes*|*--plan*) command slipway "$@" ;;
    deploy*|rollback*|undeploy*|restart*|'tokens tokens revoke'*) command slipway "$@" --yes ;;
    *) command slipway "$@" ;;
  esac
}
curl() {
  for each in "$@"; do case "$each" in http*) call="curl $each" ;; esac; done
  case "$*" in
    *follow=true*|*/events) timeout 3 curl --fail-with-body "$@" || [ $? = 124 ] ;;
    *"$SERVER"*) command curl --fail-with-body "$@" ;;
    *) command curl --fail-with-body --connect-to "::$INGRESS" "$@" ;;
  esac
}
unset SLIPWAY_URL
slipway context add local "$SERVER"
mkdir "guide-$BASHPID" && cd "guide-$BASHPID"
`

/**
 * The team of the guides, which stays, since it has a published version. The console opens a user's
 * first account by name, and other tests expect that of alice.
 */
const TEAM = 'team-of-guides'

let slipway: CommandLine
let env: Record<string, string>
beforeAll(async () => {
  slipway = await CommandLine.open('alice')
  await registerSupportAgent('support-agent')
  const published = await registerSupportAgent('published-agent', 'bob')
  const path = `/agents/${published.account}/published-agent/publish`
  const body = { build_id: published.buildId, version: '1.0.0' }
  const { status, text } = await request('POST', path, { as: 'bob', body })
  if (status >= 300) throw new Error(`publish returned ${status}: ${text}`)
  env = {
    BOB_ID: (await request('GET', '/me', { as: 'bob' })).body.user.id,
    SERVER: fromStack('SLIPWAY_URL'),
    REGISTRY: fromStack('SLIPWAY_REGISTRY'),
    INGRESS: fromStack('SLIPWAY_INGRESS'),
    SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'] ?? '',
    // What `npm install` and `pip install` need, since tests have no network.
    npm_config_cache: join(packages, 'npm-cache'),
    npm_config_offline: 'true',
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: join(packages, 'wheels'),
  }
})
afterAll(async () => {
  for (const name of ['my-agent', 'memo', 'ci-agent', 'support-agent', 'published-agent'])
    await slipway.run(['undeploy', name, '--yes'])
  await slipway[Symbol.asyncDispose]()
})

/** The script of a guide. */
function scriptOf({ guide, before = '', values = [], skips = [], skippedBlocks = [] }: GuideRun) {
  const blocks = shellBlocks(guide)
  for (const [text] of skippedBlocks) expect(blocks.some((each) => each.includes(text))).toBe(true)
  const kept = blocks.filter((block) => !skippedBlocks.some(([text]) => block.includes(text)))
  let script = `\n${kept.join('\n')}`
  for (const [command] of skips) {
    expect(script).toContain(`\n${command}`)
    script = script.replaceAll(`\n${command}`, `\n# ${command}`)
  }
  for (const [text, value] of values) {
    expect(script).toContain(text)
    script = script.replaceAll(text, () => value)
  }
  return `${SHELL}\n${before}\n${script}`.replaceAll('acme-docs', TEAM)
}

test('every guide with commands is run, or a reason says why not', () => {
  const all = readdirSync(GUIDES).filter((file) => file.endsWith('.md'))
  const known = new Set([...guides.map(({ guide }) => guide), ...Object.keys(others)])
  expect(all.filter((file) => shellBlocks(file).length > 0 && !known.has(file))).toEqual([])
})

test.each(guides.map((guide) => [guide.guide, guide] as const))('%s', async (_name, guide) => {
  const { stderr, stdout } = await slipway.script(scriptOf(guide), { env })
  const failed = stderr.split('\n').filter((line) => line.startsWith(MARK))
  const expected = (guide.fails ?? []).map((text) => expect.stringContaining(text))
  expect(failed, `${stdout}\n${stderr}`).toEqual(expected)
})
