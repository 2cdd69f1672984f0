/** How much of a log a caller may ask for. */
export const LOG_RANGE = { defaultLines: 200, mostLines: 5_000, mostDays: 366 }
