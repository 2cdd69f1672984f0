/** A request of a part of the cluster to another one, and why it has failed. */
const REQUEST = /\b[A-Z][a-z]+ "https?:\/\/|\bdial (?:tcp|udp)\b|\blookup \S+ on\b/
const NO_RESPONSE = 'a part of the cluster does not respond; operators find it in the events'

/**
 * Returns a message of the cluster without its network: the addresses of its parts, and how they
 * respond. The names of webhooks before them stay.
 */
export function withoutNetwork(message: string): string {
  const at = message.search(REQUEST)
  return at < 0 ? message : `${message.slice(0, at)}${NO_RESPONSE}`
}
