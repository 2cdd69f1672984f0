const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Whether a response with this status may say where else to send a request without a body. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}
