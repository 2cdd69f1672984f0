import { afterAll, beforeAll, expect, test } from 'vitest'

import { CommandLine } from '../../support/command-line.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'

// What breaks in the first hour, and what `slipway deploy` itself says about it, without a look at
// the log or the cluster. Refused credentials and missing images are in deploy-failed.test.ts,
// missing credentials and wrong settings in deploy.test.ts.

const NAME = 'cli-broken'

let agent: FaultyAgent
let slipway: CommandLine
beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  slipway = await CommandLine.open('alice')
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await slipway[Symbol.asyncDispose]()
})

async function deploy(fault: string, settings: readonly string[] = []) {
  const input = JSON.stringify({ FAULT: fault, SERVICE_TOKEN: 'x' })
  const set = settings.flatMap((each) => ['--set', each])
  const args = ['deploy', NAME, '--yes', '--timeout', '40s', '--secrets-from', '-', ...set]
  return await slipway.run(args, { input })
}

const SMALL = ['agent.resources.requests.memory=96Mi', 'agent.resources.limits.memory=96Mi']
const LARGE = ['agent.resources.requests.cpu=60', 'agent.resources.limits.cpu=60']

test.each([
  [
    'a program that listens on another port',
    { fault: 'port', code: 8 },
    /listens on port 9090, but the spec says port 8080: correct `port` in astroai\.yml/,
  ],
  [
    'a program that listens on 127.0.0.1',
    { fault: 'local', code: 8 },
    /listens on 127\.0\.0\.1, .*: let it listen on port 8080 of 0\.0\.0\.0/,
  ],
  [
    'a check that is answered with 404',
    { fault: 'check', code: 8 },
    /was answered with 404[^]*--set 'agent\.healthcheck=/,
  ],
  [
    'a variable that the spec does not declare',
    { fault: 'variable', code: 5 },
    /asks for the variable WEATHER_API\. The spec does not declare WEATHER_API: add it to `environ/,
  ],
  [
    'a service that is not there when the program starts',
    { fault: 'service', code: 5 },
    /can't reach no-such-service.*, because there is no such name\. Start no-such-service/,
  ],
  [
    'a service that is not there, and a program that runs without it',
    { fault: 'unreachable', code: 0 },
    /it is ready, but the log says that the program can't reach no-such-service/,
  ],
  [
    'a package that the image lacks',
    { fault: 'package', code: 5 },
    /says that the Node\.js package no-such-package is missing in the image\. Add it to "depend/,
  ],
  [
    'a key that a service refuses, and a program that runs on',
    { fault: 'refused', code: 0 },
    /it is ready, but its log says that a key was refused: openai\.Auth[^]*about SERVICE_TOKEN, /,
  ],
  [
    'a program that ends without an error',
    { fault: 'end', code: 5 },
    /exited with code 0, but must keep running[^]*keep its server listening/,
  ],
  [
    'a full disk',
    { fault: 'disk', code: 5 },
    /found no space left \(it has 10Gi besides its volumes\): let it write less/,
  ],
  [
    'too little memory',
    { fault: 'memory', code: 5, settings: SMALL },
    /more memory than its limit of 96Mi[^]*--set 'agent\.resources\.limits\.memory=192Mi'/,
  ],
  [
    'a node that is too small',
    { fault: 'none', code: 8, settings: LARGE },
    /no node has enough free cpu[^]*Lower agent\.resources\.requests\.cpu \(now 60\) with --set/,
  ],
] as const)('%s', async (_what, broken, said) => {
  const { fault, code } = broken
  const outcome = await deploy(fault, 'settings' in broken ? broken.settings : [])
  expect(outcome.stdout).toMatch(said)
  expect(outcome.code).toBe(code)
  expect((await slipway.run(['status', NAME])).stdout).toMatch(said)
})
