#!/usr/bin/env bash
# Backs up the databases and the traces of a running Slipway: backup.sh FOLDER
# docs/guide/backup.md describes the variables, and what a backup doesn't contain.
set -euo pipefail
umask 077

folder=${1:?usage: backup.sh FOLDER; the folder must not exist}
: "${CATALOG_DATABASE_URL:?is not set}" "${DEPLOYER_DATABASE_URL:?is not set}"
: "${OBSERVABILITY_DATABASE_URL:?is not set}"
if [ -z "${CLICKHOUSE_URL:-}${CLICKHOUSE_DATA_DIR:-}" ]; then
  echo 'set CLICKHOUSE_URL or CLICKHOUSE_DATA_DIR, or CLICKHOUSE_URL=none to leave out traces' >&2
  exit 2
fi
if [ -e "$folder" ]; then
  echo "$folder already exists" >&2
  exit 2
fi
source "$(dirname "${BASH_SOURCE[0]}")/clickhouse.sh"

# A folder with its final name is complete.
draft=$folder.partial
snapshot=
trap 'rm -rf "$draft" ${snapshot:+"$snapshot"}' EXIT
mkdir "$draft"

# The files of ClickHouse never change, apart from those with temporary names. They are only
# replaced, and the replaced ones are kept for minutes. So links to them are a snapshot, unless one
# was deleted meanwhile.
link_files() {
  local unstable=(-name 'tmp*' -o -name 'delete_tmp*' -o -path ./shadow)
  (
    cd "$CLICKHOUSE_DATA_DIR"
    find . \( "${unstable[@]}" \) -prune -o -type d -empty -exec mkdir -p "$snapshot/{}" \; &&
      find . \( "${unstable[@]}" \) -prune -o ! -type d \
        -exec cp --link --no-dereference --parents --target-directory "$snapshot" {} +
  )
}

back_up_data_directory() {
  # Links need the same file system. ClickHouse makes its own snapshots in this folder, too.
  mkdir -p "$CLICKHOUSE_DATA_DIR/shadow"
  snapshot=$(realpath "$CLICKHOUSE_DATA_DIR")/shadow/slipway-backup-$$
  local attempt
  for attempt in 1 2 3 4 5; do
    rm -rf "$snapshot"
    mkdir "$snapshot"
    if link_files; then
      tar --create --gzip --file "$draft/traces.tar.gz" --directory "$snapshot" .
      return
    fi
    echo "files of traces were deleted meanwhile (attempt $attempt of 5)" >&2
    sleep 1
  done
  return 1
}

# $1 is a table of the ClickHouse server, $2 the query for its rows.
back_up_table() {
  clickhouse '' --data-binary "SHOW CREATE TABLE $1 FORMAT TSVRaw" >"$draft/$1.sql"
  clickhouse '' --data-binary "$2" | gzip >"$draft/$1.json.gz"
}

back_up_database() {
  echo "database $1" >&2
  pg_dump --format=custom --no-owner --no-privileges --dbname="$2" >"$draft/$1.dump"
}

# Each part refers only to what later parts contain: traces to deployments, these to agents.
echo traces >&2
if [ -n "${CLICKHOUSE_DATA_DIR:-}" ]; then
  back_up_data_directory
elif [ "$CLICKHOUSE_URL" != none ]; then
  back_up_table spans "$SELECT_SPANS"
  # Release 0.1.0 has no table of log records.
  if [ "$(clickhouse '' --data-binary 'EXISTS TABLE log_records FORMAT TSV')" = 1 ]; then
    back_up_table log_records "$SELECT_LOGS"
  fi
fi
back_up_database observability "$OBSERVABILITY_DATABASE_URL"
back_up_database deployer "$DEPLOYER_DATABASE_URL"
back_up_database catalog "$CATALOG_DATABASE_URL"

(cd "$draft" && sha256sum -- * >SHA256SUMS)
mv "$draft" "$folder"
echo "$folder" >&2
