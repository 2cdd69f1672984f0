/** The agent of a query. An agent that was deleted and registered again has another id. */
export interface TracedAgent {
  readonly accountId: string
  readonly agent: string
  /** The id of the account's own agent; empty if it has none of this name. */
  readonly agentId: string
  /** When that agent was first registered, in nanoseconds since 1970; 0 if that isn't known. */
  readonly agentSinceNs: bigint
}
