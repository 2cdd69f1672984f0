import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'

import { CHECK_TIMEOUT_MS, failed, ok, reasonOf, skipped, warning, type Check } from '../check.ts'

const EXPIRY_WARNING_DAYS = 14
const DAY_MS = 86_400_000

/** Name, connection and certificate of a server, one after the other. */
export async function checkConnection(server: string, signal: AbortSignal): Promise<Check[]> {
  const url = new URL(server)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const dns = await checkName(host, signal)
  if (dns.status === 'failed') return [dns, ...skippedAll(['tcp', 'tls'], 'dns')]
  const tcp = await checkTcp(host, port, signal)
  if (tcp.status === 'failed') return [dns, tcp, ...skippedAll(['tls'], 'tcp')]
  return [dns, tcp, await checkTls(url, host, port, signal)]
}

/** Checks that need one that has failed. */
export function skippedAll(names: readonly string[], needed: string): Check[] {
  return names.map((name) => skipped(name, `needs ${needed}`))
}

async function checkName(host: string, signal: AbortSignal): Promise<Check> {
  const name = 'dns'
  if (isIP(host) !== 0) return ok(name, `${host} is an address`)
  try {
    const addresses = await Promise.race([lookup(host, { all: true }), timeOut(signal)])
    return ok(name, `${host} is ${addresses.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return failed(
      name,
      `${host}: ${reasonOf(error, signal)}`,
      'check the spelling of the address, and the network',
    )
  }
}

async function checkTcp(host: string, port: number, signal: AbortSignal): Promise<Check> {
  const name = 'tcp'
  const socket = connect({ host, port })
  try {
    await once(socket, 'connect', { signal: limited(signal) })
    return ok(name, `port ${port} accepts connections`)
  } catch (error) {
    return failed(
      name,
      `port ${port}: ${reasonOf(timeoutIfAborted(error), signal)}`,
      'check that the server runs, and that no firewall or proxy is between',
    )
  } finally {
    socket.destroy()
  }
}

async function checkTls(
  { protocol }: URL,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Check> {
  const name = 'tls'
  if (protocol !== 'https:') return ok(name, 'not used: the address begins with http:')
  const servername = isIP(host) === 0 ? host : undefined
  const socket = connectTls({ host, port, ...(servername !== undefined && { servername }) })
  try {
    await once(socket, 'secureConnect', { signal: limited(signal) })
    const { valid_to } = socket.getPeerCertificate()
    const days = Math.floor((Date.parse(valid_to) - Date.now()) / DAY_MS)
    const detail = `the certificate is valid for ${days} more days`
    return days < EXPIRY_WARNING_DAYS
      ? warning(name, detail, 'the operator of the server must renew it')
      : ok(name, detail)
  } catch (error) {
    return failed(
      name,
      reasonOf(timeoutIfAborted(error), signal),
      "set NODE_EXTRA_CA_CERTS to the file of your organization's certificates, and check the " +
        'clock of this machine',
    )
  } finally {
    socket.destroy()
  }
}

function limited(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)])
}

/** `once` wraps the reason of its signal. */
function timeoutIfAborted(error: unknown): unknown {
  const isAbort = error instanceof Error && error.name === 'AbortError'
  return isAbort ? (error.cause ?? error) : error
}

async function timeOut(signal: AbortSignal): Promise<never> {
  const limit = limited(signal)
  await new Promise((resolve) => limit.addEventListener('abort', resolve, { once: true }))
  throw limit.reason
}
