import { buildDebianImage } from './debian-image.ts'
import { fileEntry, type Image, type Progress } from '@slipway/agent-image/parts'
import { PG_ISREADY, POSTGRES_PACKAGES, POSTGRES_STOP } from './postgres-files.ts'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** The user of these images, as in the agent spec's provider table. */
const STORE_UID = 999

/**
 * Does what the public image does when it starts: creates a database if there is none, then runs
 * it.
 */
const START_POSTGRES = `#!/bin/sh
set -eu
programs=$(echo /usr/lib/postgresql/*/bin)
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  umask 077
  mkdir -p "$PGDATA"
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  "$programs/initdb" -D "$PGDATA" -U "$POSTGRES_USER" --pwfile=/tmp/password \\
    -A scram-sha-256 --locale=C -E UTF8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE \\"$POSTGRES_DB\\"" | "$programs/postgres" --single -D "$PGDATA" postgres
fi
exec "$programs/postgres" -D "$PGDATA" \\
  -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
`

/** Where the images of stores are in a registry, by the provider that they are for. */
export const STORE_IMAGES = {
  redis: { repository: 'library/redis', tag: '7-alpine' },
  postgres: { repository: 'pgvector/pgvector', tag: 'pg17' },
} as const

/** An image of a store, with its name in the agent spec's provider table. */
export interface StoreImage {
  readonly repository: string
  readonly tag: string
  readonly image: Image
}

/**
 * Builds images of Redis and Postgres from Debian packages. They replace the public images where
 * the internet is unreachable, and accept the same arguments and variables.
 */
export async function buildStoreImages(
  options: { cacheDirectory?: string; progress?: Progress } = {},
): Promise<StoreImage[]> {
  const users = [
    fileEntry(
      'etc/passwd',
      `root:x:0:0:root:/root:/bin/sh\nstore:x:${STORE_UID}:${STORE_UID}:store:/tmp:/bin/sh\n`,
    ),
    fileEntry('etc/group', `root:x:0:\nstore:x:${STORE_UID}:\n`),
  ]
  const common = { environment: { PATH }, user: String(STORE_UID), ...options }
  const redis = await buildDebianImage({
    ...common,
    packages: ['redis-server'],
    files: users,
    entrypoint: ['redis-server'],
    workingDirectory: '/data',
  })
  const postgres = await buildDebianImage({
    ...common,
    packages: POSTGRES_PACKAGES,
    files: [
      ...users,
      fileEntry('usr/local/bin/start-postgres', START_POSTGRES, { executable: true }),
      fileEntry('usr/local/bin/pg_isready', PG_ISREADY, { executable: true }),
    ],
    entrypoint: ['/usr/local/bin/start-postgres'],
    stopSignal: POSTGRES_STOP,
  })
  return [
    { ...STORE_IMAGES.redis, image: redis },
    { ...STORE_IMAGES.postgres, image: postgres },
  ]
}
