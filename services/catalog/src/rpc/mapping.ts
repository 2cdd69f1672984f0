import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  type MemberSchema,
  Role as ProtoRole,
  type UserSchema,
} from '@slipway/proto/slipway/catalog/v1/account'
import {
  type ValidationWarningSchema,
  VersionSchema,
  type Version,
} from '@slipway/proto/slipway/catalog/v1/agent'
import { nameOf, valueOf } from '@slipway/shared/enum-names'

import type { BuildRow } from '../db/agents.ts'
import type { ListPage, ListRow } from '../db/agent-lists.ts'
import type { UserRow } from '../db/users.ts'
import type { Commit } from '../domain/commit.ts'
import { toAgentToken } from '../domain/page-token.ts'
import type { Role } from '../domain/role.ts'

/** Converts a role; null becomes ROLE_UNSPECIFIED. */
export function toProtoRole(role: Role | null): ProtoRole {
  return role === null ? ProtoRole.UNSPECIFIED : valueOf(ProtoRole, role)
}

/** Converts a role of a message; undefined for ROLE_UNSPECIFIED and unknown values. */
export function fromProtoRole(role: ProtoRole): Role | undefined {
  return nameOf(ProtoRole, role)
}

/** Converts a user. */
export function toProtoUser(user: UserRow): MessageInitShape<typeof UserSchema> {
  return {
    id: user.id,
    ...(user.email !== null && { email: user.email }),
    ...(user.first_name !== null && { firstName: user.first_name }),
    ...(user.last_name !== null && { lastName: user.last_name }),
  }
}

/**
 * Converts a member. Other users don't learn the name and e-mail address of a user who was added to
 * an account and hasn't confirmed that.
 */
export function toProtoMember(
  user: UserRow,
  { role, isConfirmed, isSelf }: { role: ProtoRole; isConfirmed: boolean; isSelf: boolean },
): MessageInitShape<typeof MemberSchema> {
  return {
    user: isConfirmed || isSelf ? toProtoUser(user) : { id: user.id },
    role,
    confirmed: isConfirmed,
  }
}

/** Converts a build for the details of an agent. Members see more fields than others. */
export function toProtoVersion(build: BuildRow, isMember: boolean): Version {
  return create(VersionSchema, {
    buildId: build.build_id,
    yanked: build.is_yanked,
    ...(build.version !== null && { version: build.version }),
    ...(build.publish_time !== null && { publishTime: timestampFromDate(build.publish_time) }),
    ...(build.spec_json !== null && { specJson: build.spec_json }),
    ...(build.readme !== null && { readme: build.readme }),
    ...(build.image_digests_json !== null && {
      imageDigests: parseImageDigests(build.image_digests_json),
    }),
    ...(isMember && {
      registerTime: timestampFromDate(build.register_time),
      ...(build.warnings_json !== null && {
        validationWarnings: parseWarnings(build.warnings_json),
      }),
      ...(build.commit_json !== null && {
        commit: JSON.parse(build.commit_json) as Commit,
      }),
    }),
  })
}

/** Converts a page of a list. */
export function toListResponse({ rows, hasMore }: ListPage) {
  const last = rows.at(-1)
  return {
    agents: rows.map((row) => ({
      account: row.account,
      name: row.name,
      registry: row.registry,
      versions: [listedVersion(row)],
    })),
    nextPageToken: hasMore && last !== undefined ? toAgentToken(last) : '',
  }
}

function listedVersion(row: ListRow): Version {
  return create(VersionSchema, {
    buildId: row.build_id,
    tags: row.tags,
    yanked: row.is_yanked,
    ...(row.version !== null && { version: row.version }),
    ...(row.publish_time !== null && { publishTime: timestampFromDate(row.publish_time) }),
    ...(row.description !== null && { description: row.description }),
    ...(row.spec_json !== null && { specJson: row.spec_json }),
    ...(row.readme !== null && { readme: row.readme }),
    ...(row.register_time !== null && { registerTime: timestampFromDate(row.register_time) }),
    ...(row.warnings_json !== null && { validationWarnings: parseWarnings(row.warnings_json) }),
  })
}

/** Parses the stored digests of a build's images. */
export function parseImageDigests(json: string): Record<string, string> {
  // Most builds have none, and an agent can have a thousand builds.
  return json === '{}' ? {} : (JSON.parse(json) as Record<string, string>)
}

/** Parses the stored warnings of a build. */
export function parseWarnings(json: string): MessageInitShape<typeof ValidationWarningSchema>[] {
  return JSON.parse(json) as { field: string; message: string }[]
}
