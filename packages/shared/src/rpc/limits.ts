/** Maximum size of a response of the internal RPCs, in bytes. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

/** Maximum size of a request of the internal RPCs, compressed and decompressed, in bytes. */
export const MAX_REQUEST_BYTES = 4 * 1024 * 1024

/** Maximum size of a request whose caller has no valid token, in bytes. */
export const MAX_ANONYMOUS_REQUEST_BYTES = 64 * 1024

/**
 * Maximum size of all requests together that a process is receiving, and of those of one caller, in
 * bytes.
 */
export const MAX_RECEIVING_BYTES = 128 * 1024 * 1024
export const MAX_RECEIVING_BYTES_PER_CALLER = 32 * 1024 * 1024

/** Maximum number of values in a request: fields, list items and map entries, at any depth. */
export const MAX_REQUEST_VALUES = 100_000

/** Maximum size of the messages of a stream of requests together, in bytes. */
export const MAX_REQUEST_STREAM_BYTES = 64 * 1024

/** How long a stream of requests may take. */
export const MAX_REQUEST_STREAM_MS = 60_000

/**
 * How long running calls may continue after a server begins to shut down. Waits and streams without
 * an end are ended at once, so this is for work, which a deploy does for longest.
 */
export const DRAIN_MS = 15_000

/** How long aborted calls may then take to respond to their callers. */
export const ABORT_GRACE_MS = 1_000

/** How long before its idle connections close a server asks its callers to use others. */
export const NOTICE_MS = 100

/** The same for clients outside of the platform, which use a connection less often. */
export const PUBLIC_NOTICE_MS = 3_000

/** The maximum delay of a timer; timers with a longer delay fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** How long an HTTP server keeps an idle connection. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000
