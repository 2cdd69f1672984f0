import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ConfigReader } from '@slipway/shared/config'
import type { Logger } from '@slipway/shared/logger'
import {
  readOperatorFile,
  type OperatorFile,
  type ReportProblem,
} from '@slipway/shared/operator-file'
import { followFile } from '@slipway/shared/reloaded-file'

import { parsePrices } from './parse-prices.ts'
import { PriceTable } from './price-table.ts'

/** The prices of this release. */
export const builtInPrices = parseTable(
  readFileSync(join(import.meta.dirname, 'model-prices.yaml'), 'utf8'),
)

/** The operator's prices as they were read at start; undefined if no file is configured. */
export type ModelPricesConfig = OperatorFile<PriceTable> | undefined

/** The prices of models, as the operator's file has them now. */
export interface CurrentModelPrices extends Disposable {
  readonly current: PriceTable
}

/**
 * Reads the file that MODEL_PRICES_FILE names. It replaces the prices of this release, unless no
 * part of it is valid.
 */
export function readModelPrices(reader: ConfigReader): ModelPricesConfig {
  return readOperatorFile(reader, 'MODEL_PRICES_FILE', parseTable, builtInPrices)
}

/** Follows the changes of the operator's file, which is read again every `intervalMs`. */
export function followModelPrices(
  config: ModelPricesConfig,
  logger: Logger,
  intervalMs?: number,
): CurrentModelPrices {
  const file =
    config && followFile({ ...config, logger, ...(intervalMs !== undefined && { intervalMs }) })
  return {
    get current() {
      return file?.current ?? builtInPrices
    },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  }
}

function parseTable(text: string, report?: ReportProblem): PriceTable {
  return new PriceTable(parsePrices(text, report))
}
