import {
  applicationComponent,
  assembleImage,
  debianLayer,
  directoryEntry,
  fileEntry,
  LayerCache,
  sbom,
  SBOM_PATH,
  type Image,
  type Progress,
} from '@slipway/agent-image/parts'
import { imageLabels, readRelease } from './labels.ts'
import { PG_ISREADY, POSTGRES_PACKAGES, POSTGRES_STOP } from './postgres-files.ts'
import { PLATFORM_USER } from './service-image.ts'

/**
 * Creates the databases at the first start, in a folder that gets its name when all of them exist,
 * so that an interrupted start leaves nothing half made. The root file system is read-only.
 */
const START = `#!/bin/sh
set -eu
programs=$(echo /usr/lib/postgresql/*/bin)
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  umask 077
  new="$PGDATA.new"
  rm -rf "$new"
  mkdir -p "$new"
  if [ -n "\${POSTGRES_PASSWORD_FILE:-}" ]; then
    POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
  fi
  if [ -z "\${POSTGRES_PASSWORD:-}" ]; then
    echo 'set POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE: the new server needs a password' >&2
    exit 1
  fi
  printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
  "$programs/initdb" -D "$new" -U "$POSTGRES_USER" --pwfile=/tmp/password \\
    -A scram-sha-256 --locale=C -E UTF8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$new/pg_hba.conf"
  for database in $POSTGRES_DATABASES; do echo "CREATE DATABASE \\"$database\\""; done |
    "$programs/postgres" --single -D "$new" postgres
  mv "$new" "$PGDATA"
fi
exec "$programs/postgres" -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp
`

/**
 * Builds an image of Postgres from Debian's packages, for installs that aren't for production: one
 * server with a database for each service. Its data is in /data.
 */
export async function buildPostgresImage(
  checkout: string,
  options: { cacheDirectory?: string; progress?: Progress } = {},
): Promise<Image> {
  const cache = new LayerCache(options.cacheDirectory)
  const base = await debianLayer(cache, POSTGRES_PACKAGES, options.progress ?? (() => {}))
  const release = await readRelease(checkout)
  const subject = applicationComponent('postgres', release.version)
  const files = await cache.layer([
    fileEntry('usr/local/bin/start-postgres', START, { executable: true }),
    fileEntry('usr/local/bin/pg_isready', PG_ISREADY, { executable: true }),
    directoryEntry('data', { uid: 1000, gid: 1000 }),
    fileEntry(SBOM_PATH, sbom(subject, base.components)),
  ])
  return assembleImage([base.layer, files], {
    entrypoint: ['/usr/local/bin/start-postgres'],
    environment: {
      PGDATA: '/data/postgres',
      POSTGRES_USER: 'slipway',
      POSTGRES_DATABASES: 'catalog deployer observability',
    },
    user: PLATFORM_USER,
    workingDirectory: '/',
    stopSignal: POSTGRES_STOP,
    ports: [5432],
    labels: imageLabels(release, {
      title: 'slipway/postgres',
      description: 'Postgres for trying Slipway in a cluster; not for production',
    }),
  })
}
