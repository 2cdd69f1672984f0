import { CREATE_LOGS, LOGS_TABLE, logsMigrations, REQUIRED_LOG_COLUMNS } from './logs-table.ts'
import { spansMigrations } from './spans-migrations.ts'
import { CREATE_SPANS, REQUIRED_COLUMNS, SPANS_TABLE } from './spans-table.ts'
import type { TableDefinition } from './table-definition.ts'

/** The tables of the trace store. */
export const TABLES: readonly TableDefinition[] = [
  {
    name: SPANS_TABLE,
    content: 'spans',
    file: 'src/store/spans-table.ts',
    create: CREATE_SPANS,
    requiredColumns: REQUIRED_COLUMNS,
    timeColumn: 'start_time',
    migrations: spansMigrations,
  },
  {
    name: LOGS_TABLE,
    content: 'log records',
    file: 'src/store/logs-table.ts',
    create: CREATE_LOGS,
    requiredColumns: REQUIRED_LOG_COLUMNS,
    timeColumn: 'time',
    migrations: logsMigrations,
  },
]
