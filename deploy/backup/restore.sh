#!/usr/bin/env bash
# Restores a backup of Slipway into empty databases, before its services start: restore.sh FOLDER
# docs/guide/backup.md describes the variables and the steps before and after.
set -euo pipefail
umask 077

folder=${1:?usage: restore.sh FOLDER; the folder is one that backup.sh has written}
: "${CATALOG_DATABASE_URL:?is not set}" "${DEPLOYER_DATABASE_URL:?is not set}"
: "${OBSERVABILITY_DATABASE_URL:?is not set}"
source "$(dirname "${BASH_SOURCE[0]}")/clickhouse.sh"

(cd "$folder" && sha256sum --check --quiet SHA256SUMS)
if [ -e "$folder/traces.tar.gz" ]; then
  : "${CLICKHOUSE_DATA_DIR:?is not set; the backup has a data directory}"
  mkdir -p "$CLICKHOUSE_DATA_DIR"
  if [ -n "$(ls -A -I lost+found "$CLICKHOUSE_DATA_DIR")" ]; then
    echo "CLICKHOUSE_DATA_DIR is not empty: $CLICKHOUSE_DATA_DIR" >&2
    exit 2
  fi
elif [ -e "$folder/spans.sql" ]; then
  : "${CLICKHOUSE_URL:?is not set; the backup has the traces of a ClickHouse server}"
fi

# Fails before it changes anything if the database has one of the tables.
restore_database() {
  echo "database $1" >&2
  pg_restore --single-transaction --exit-on-error --no-owner --no-privileges --no-comments \
    --dbname="$2" <"$folder/$1.dump"
}

# $1 is a table of the ClickHouse server, $2 the statement that inserts its rows.
restore_table() {
  # Without the name of the former database.
  sed "1s/^CREATE TABLE .*/CREATE TABLE IF NOT EXISTS $1/" "$folder/$1.sql" |
    clickhouse '' --data-binary @-
  # ClickHouse refuses to insert nothing.
  if [ -n "$(gzip --decompress --stdout "$folder/$1.json.gz" | head --bytes=1)" ]; then
    gzip --decompress --stdout "$folder/$1.json.gz" | clickhouse "$2" --upload-file -
  fi
}

restore_database catalog "$CATALOG_DATABASE_URL"
restore_database deployer "$DEPLOYER_DATABASE_URL"
restore_database observability "$OBSERVABILITY_DATABASE_URL"

if [ -e "$folder/traces.tar.gz" ]; then
  echo traces >&2
  tar --extract --gzip --file "$folder/traces.tar.gz" --directory "$CLICKHOUSE_DATA_DIR"
elif [ -e "$folder/spans.sql" ]; then
  echo traces >&2
  restore_table spans "$INSERT_SPANS"
  # Release 0.1.0 has no table of log records.
  if [ -e "$folder/log_records.sql" ]; then
    restore_table log_records "$INSERT_LOGS"
  fi
fi
