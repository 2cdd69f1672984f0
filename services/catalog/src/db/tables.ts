import type { ColumnType, Generated } from 'kysely'

import type { Role } from '../domain/role.ts'

export interface AppUserTable {
  id: string
  realm: string
  subject: string
  email: string | null
  first_name: string | null
  last_name: string | null
  create_time: Generated<Date>
  /** When the token was issued that the claims are from; null if it didn't say. */
  claims_time: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** An account with its current name. */
export interface AccountTable {
  id: string
  name: string
  type: 'personal' | 'team'
  /** The user whose first sign-in created the account. */
  personal_user_id: string | null
  /** Null for team accounts from before this was stored. */
  created_by: string | null
  create_time: Generated<Date>
}

/** The account that a current or reserved name belongs to; the account may be deleted. */
export interface AccountNameTable {
  name: string
  account_id: string
  /**
   * The time until which a previous name is reserved; null for a current one. Infinity if the
   * account had published a version under it.
   */
  held_until: Date | null
  /** The user whose rename reserved the name for some time; null for other names. */
  held_by: Generated<string | null>
}

/** A member of an account. */
export interface MemberTable {
  account_id: string
  user_id: string
  role: Role
  /** Null for members from before this was stored. */
  join_time: Generated<Date | null>
  /** Whether the user created the account or confirmed that another user added them. */
  is_confirmed: Generated<boolean>
}

/** An agent. Every change to its builds locks the row. */
export interface AgentTable {
  id: string
  account_id: string
  name: string
  /** The ordinal of the latest build. The number of builds is this minus `build_gaps`. */
  build_count: Generated<number>
  /** How many ordinals up to `build_count` no build has, because it was deleted. */
  build_gaps: Generated<number>
  /** The number of published builds. */
  version_count: Generated<number>
  /** When the agent was first registered; null for agents from before this was stored. */
  create_time: Generated<Date | null>
}

/** A build, published once it has a version. */
export interface BuildTable {
  agent_id: string
  /**
   * Increases from 1, in the order in which the builds were first registered. Deleted builds leave
   * gaps; the ordinal of a deleted latest build is used again.
   */
  ordinal: number
  build_id: string
  registry: string
  spec_yaml: string
  spec_json: string
  readme: Generated<string>
  /** A JSON object of digests by image, sorted. */
  image_digests_json: Generated<string>
  /** A `Commit` as JSON; null if the client named none. */
  commit_json: Generated<string | null>
  description: string | null
  tags: string[]
  /** A JSON array of {field, message}. */
  warnings_json: string
  /** The size of the build in the details of an agent. */
  content_bytes: number
  register_time: Generated<Date>
  version: string | null
  /** The version's precedence; see `Version.key`. */
  version_key: Buffer | null
  is_stable: boolean | null
  publish_time: Date | null
  is_yanked: Generated<boolean>
}

/**
 * What an account stores. Triggers keep it up to date in the transaction of each change, so that
 * every release and every deletion counts. Builds must be deleted before their agent.
 */
export interface AccountUsageTable {
  account_id: string
  agents: number
  builds: number
  /** The size of the stored content of all builds. */
  content_bytes: number
}

/** The public list: a row for each agent that has a latest published version. */
export interface CatalogEntryTable {
  agent_id: string
  account_id: string
  account_name: string
  name: string
  build_ordinal: number
  build_id: string
  registry: string
  version: string
  publish_time: Date
  description: string | null
  tags: string[]
  search_text: string
  /** The words of `search_text`, as a tsvector. */
  search_words: string
  /** The size of the row in a list. */
  entry_bytes: number
}

/** A machine token. The token itself is not stored. */
export interface MachineTokenTable {
  id: string
  /** SHA-256 of the token. */
  hash: Buffer
  account_id: string
  /** A member of the account; the token is deleted with the membership. */
  created_by: string
  name: string
  role: 'member' | 'admin'
  create_time: Generated<Date>
  expire_time: Date
  /** To about a minute. */
  last_use_time: Date | null
}

/** The session of a browser. Neither its cookie nor the key of its content is stored. */
export interface BrowserSessionTable {
  id: string
  /** SHA-256 of the cookie. */
  hash: Buffer
  user_id: string
  /** The content, encrypted by the gateway. */
  sealed: Buffer
  /** Counts how often the content was replaced, from 1. */
  version: Generated<number>
  create_time: Generated<Date>
  /** To about a minute. */
  last_use_time: Generated<Date>
  /** Allows its holder to replace the content; null if there is none. */
  lease_id: string | null
  lease_until: Date | null
}

/** The catalog's tables. */
export interface CatalogSchema {
  app_user: AppUserTable
  account: AccountTable
  account_name: AccountNameTable
  member: MemberTable
  agent: AgentTable
  build: BuildTable
  account_usage: AccountUsageTable
  catalog_entry: CatalogEntryTable
  machine_token: MachineTokenTable
  browser_session: BrowserSessionTable
}
