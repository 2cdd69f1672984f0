import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import { expect, onTestFinished, test } from 'vitest'

import { Cli } from '../command/cli.ts'
import { pushedBuild, rememberPush } from './pushed-build.ts'

const AGENT = { account: 'carol', name: 'notes' }
const TIME = '2026-01-02T03:04:05Z'

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'slipway-pushed-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A server whose agent has these builds, the newest first; undefined if it is gone. */
async function serverWith(builds: readonly string[] | undefined): Promise<string> {
  const versions = builds?.map((build_id) => ({ build_id, registered_at: TIME }))
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...AGENT, registry: '', versions }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  const { port } = server.address() as { port: number }
  if (builds === undefined) await close()
  else onTestFinished(async () => void (await close()))
  return `http://127.0.0.1:${port}`
}

interface Call {
  readonly settings: string
  readonly url: string
}

/** Calls a part of the command line. Returns the result, and what it has said. */
async function called<Result>({ settings, url }: Call, work: (cli: Cli) => Promise<Result>) {
  const stderr = new PassThrough().setEncoding('utf8')
  const said = stderr.toArray()
  const env = { SLIPWAY_CONFIG_DIR: settings, SLIPWAY_URL: url, SLIPWAY_TOKEN: 'x', NO_COLOR: '1' }
  const process = { stdin: new PassThrough(), stdout: new PassThrough(), stderr, env }
  const cli = new Cli(
    { process, signal: new AbortController().signal, exit() {} },
    { json: false, quiet: false, verbose: false },
  )
  const result = await work(cli)
  stderr.end()
  return { result, said: (await said).join('') }
}

const remember = async (call: Call, folder: string, build_id: string, isOlder: boolean) =>
  await called(call, async (cli) => {
    await rememberPush(cli, folder, { ...AGENT, build_id, isOlder })
  })

const choose = async (call: Call, folder: string) =>
  await called(call, async (cli) => await pushedBuild(cli, folder, AGENT))

test('remembers an earlier build, and says so if it is gone', async () => {
  const [settings, folder] = [await temporaryFolder(), await temporaryFolder()]
  const url = await serverWith(['b2', 'b1'])
  expect((await remember({ settings, url }, folder, 'b1', true)).said).toContain('take b1')
  expect(await choose({ settings, url }, folder)).toMatchObject({ result: 'b1' })
  const later = await serverWith(['b2'])
  const file = join(settings, 'pushed-builds.json')
  await writeFile(file, (await readFile(file, 'utf8')).replace(url, later))
  const { result, said } = await choose({ settings, url: later }, folder)
  expect(result).toBeUndefined()
  expect(said).toBe(
    'warning: the build b1, which this folder has pushed last, is no longer listed; the newest ' +
      'one is taken: b2\n',
  )
})

test('does not fail the push of a registered build if the server is unreachable then', async () => {
  const [settings, folder] = [await temporaryFolder(), await temporaryFolder()]
  const url = await serverWith(undefined)
  const { said } = await remember({ settings, url }, folder, 'b1', true)
  expect(said).toContain(`warning: what was pushed is not remembered: ${url}: `)
  expect(said).toContain('; slipway deploy notes --build b1 takes it')
})

test.each(['{', '{}', 'null', '[]', '{"folders": null}', '{"folders": 1}'])(
  'takes the newest build if the file with pushed builds is damaged: %s',
  async (text) => {
    const [settings, folder] = [await temporaryFolder(), await temporaryFolder()]
    const url = await serverWith(['b2', 'b1'])
    await writeFile(join(settings, 'pushed-builds.json'), text)
    const { result, said } = await choose({ settings, url }, folder)
    expect(result).toBeUndefined()
    expect(said).toContain('warning: the newest build is taken, ')
    expect(said).toContain('pushed-builds.json')
    expect(said).toContain('correct or delete the file')
    const { said: refused } = await remember({ settings, url }, folder, 'b1', true)
    expect(refused).toContain('correct or delete the file')
  },
)
