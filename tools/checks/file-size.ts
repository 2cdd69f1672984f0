import type { AuthoredFile } from './authored-files.ts'

const MAX_LINES = 250

/** A chart has one file of values and one schema of them. */
const CHART_VALUES = /^deploy\/helm\/[^/]+\/values\.(schema\.json|yaml)$/

/** The reference of commands is generated from their definitions. */
const COMMANDS = /^docs\/reference\/cli-[\w-]+\.md$/

/** A list of data is one idea. */
const LIST = /^services\/observability\/src\/prices\/model-prices\.yaml$/

/** It has every release. */
const CHANGELOG = /^CHANGELOG\.md$/

/** Reports a file of more than 250 lines: it holds more than one idea. */
export function fileSize({ path, lines }: AuthoredFile): string[] {
  if ([CHART_VALUES, COMMANDS, LIST, CHANGELOG].some((pattern) => pattern.test(path))) return []
  return lines.length > MAX_LINES
    ? [`${path}:${lines.length}: the file has more than ${MAX_LINES} lines; split it`]
    : []
}
