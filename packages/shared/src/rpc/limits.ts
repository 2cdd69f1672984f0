/** Largest message that servers and clients of the internal RPCs take, in bytes. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** How long running calls may go on after a stop was asked for. */
export const DRAIN_MS = 8_000

/** Longer timers fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** How long an HTTP server keeps a connection on which nothing is asked. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000
