import { nkeys } from '@nats-io/nats-core'

type KeyPair = ReturnType<typeof nkeys.createUser>

/** What a nats-server needs to authenticate users by JWTs, and a user that it accepts. */
export interface NatsOperator {
  /** For the server's configuration file. */
  readonly config: string
  /** The content of a user's credentials file. */
  readonly credentials: string
  /** The same of a user whose account the operator hasn't signed. */
  readonly strangersCredentials: string
}

/** Creates an operator with an account that can use JetStream, as `nsc` does. */
export function natsOperator(): NatsOperator {
  const operator = nkeys.createOperator()
  const [account, system, stranger] = [0, 1, 2].map(() => nkeys.createAccount())
  if (!account || !system || !stranger) throw new Error('no keys')
  const unlimited = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }
  const preload = [
    [account, unlimited],
    [system, {}],
  ] as const
  const accounts = preload.map(([keys, more]) => {
    const limits = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, ...more }
    return `${keys.getPublicKey()}: ${sign(operator, keys, { type: 'account', limits })}`
  })
  return {
    config: [
      `operator: ${sign(operator, operator, { type: 'operator' })}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload: { ${accounts.join(', ')} }`,
    ].join('\n'),
    credentials: credentialsOf(account),
    strangersCredentials: credentialsOf(stranger),
  }
}

function credentialsOf(account: KeyPair): string {
  const user = nkeys.createUser()
  const jwt = sign(account, user, {
    type: 'user',
    pub: {},
    sub: {},
    subs: -1,
    data: -1,
    payload: -1,
  })
  const seed = new TextDecoder().decode(user.getSeed())
  return [
    ['-----BEGIN NATS USER JWT-----', jwt, '------END NATS USER JWT------', ''],
    ['-----BEGIN USER NKEY SEED-----', seed, '------END USER NKEY SEED------', ''],
  ]
    .flat()
    .join('\n')
}

/** https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt */
function sign(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const claims = {
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    nats: { version: 2, ...nats },
  }
  const signed = [{ typ: 'JWT', alg: 'ed25519-nkey' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')
  return `${signed}.${signature}`
}
