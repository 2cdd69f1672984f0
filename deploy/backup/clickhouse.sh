# The statements of ClickHouse that backup.sh and restore.sh use.

# Ids are binary, so they are sent as hexadecimal digits, in the columns that ingest fills, too.
BINARY='trace_id, span_id, parent_span_id, trace_tail'
SELECT_SPANS="SELECT * EXCEPT ($BINARY), hex(trace_id) AS trace_hex, hex(span_id) AS span_hex,
  hex(parent_span_id) AS parent_hex FROM spans FORMAT JSONEachRow"
INSERT_SPANS="INSERT INTO spans (* EXCEPT ($BINARY), trace_hex, span_hex, parent_hex)
  SETTINGS max_partitions_per_insert_block = 0 FORMAT JSONEachRow"
BINARY_OF_LOGS='trace_id, span_id, trace_tail'
SELECT_LOGS="SELECT * EXCEPT ($BINARY_OF_LOGS), hex(trace_id) AS trace_hex,
  hex(span_id) AS span_hex FROM log_records FORMAT JSONEachRow"
INSERT_LOGS="INSERT INTO log_records (* EXCEPT ($BINARY_OF_LOGS), trace_hex, span_hex)
  SETTINGS max_partitions_per_insert_block = 0 FORMAT JSONEachRow"

# Sends a request to the server of CLICKHOUSE_URL. $1 is the beginning of a statement whose end is
# the request's body; the other arguments are options of curl. The URL is passed as a file, because
# all users of a machine see the arguments of its processes.
clickhouse() {
  local statement=${1//[[:space:]]/+} server=${CLICKHOUSE_URL%%\?*}
  shift
  local address=${server#*://}
  local database=${address#"${address%%/*}"}
  database=${database#/}
  curl --silent --show-error --fail-with-body --request POST \
    ${CLICKHOUSE_CA_FILE:+--cacert "$CLICKHOUSE_CA_FILE"} "$@" --config <(
      printf 'url = "%s://%s/' "${server%%://*}" "${address%%/*}"
      printf '?database=%s&query=%s"\n' "${database:-default}" "$statement"
    )
}
