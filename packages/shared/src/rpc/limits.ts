/** Maximum size of a message of the internal RPCs, in bytes. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** How long running calls may continue after a server begins to shut down. */
export const DRAIN_MS = 8_000

/** The maximum delay of a timer; timers with a longer delay fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** How long an HTTP server keeps an idle connection. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000
