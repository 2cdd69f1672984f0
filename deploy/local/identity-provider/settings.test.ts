import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { users } from './identities.ts'
import { readSettings } from './settings.ts'

const ISSUER = 'http://id.example.test:9200'

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-users-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'users.json'), text)
  return join(folder, 'users.json')
}

test('listens at the issuer’s address and has the development users by default', () => {
  expect(readSettings({ ISSUER })).toMatchObject({
    issuer: ISSUER,
    listen: { host: 'id.example.test', port: 9200 },
    users,
    serviceSecrets: {},
    trustProxy: false,
  })
})

test('can listen at another address than the issuer’s, behind a proxy', () => {
  const env = {
    ISSUER: 'https://id.example.test',
    LISTEN_ADDRESS: '[::]:9200',
    TRUST_PROXY: 'true',
  }
  expect(readSettings(env)).toMatchObject({ listen: { host: '::', port: 9200 }, trustProxy: true })
})

test('reads users and client secrets', () => {
  const user = {
    subject: '1',
    username: 'Erin',
    email: 'erin@example.test',
    givenName: 'Erin',
    familyName: 'Eve',
  }
  const settings = readSettings({
    ISSUER,
    USERS_FILE: fileWith(JSON.stringify([user])),
    SERVICE_SECRETS: '{"catalog":"secret"}',
  })
  expect(settings.users).toEqual([{ ...user, username: 'erin' }])
  expect(settings.serviceSecrets).toEqual({ catalog: 'secret' })
})

test('names every problem at once', () => {
  const read = () =>
    readSettings({
      ISSUER: `${ISSUER}/realm`,
      LISTEN_ADDRESS: 'anywhere',
      USERS_FILE: fileWith('[{"username":"erin"}]'),
      SERVICE_SECRETS: '[]',
      TRUST_PROXY: 'maybe',
    })
  expect(read).toThrow(`ISSUER: must be an origin without a path, for example ${ISSUER}`)
  expect(read).toThrow('LISTEN_ADDRESS: must be host:port')
  expect(read).toThrow('must be a JSON array of users, each with subject, username')
  expect(read).toThrow('SERVICE_SECRETS: must be a JSON object')
  expect(read).toThrow('TRUST_PROXY: must be true or false')
  expect(() => readSettings({})).toThrow('ISSUER: must be the URL at which people and services')
})
