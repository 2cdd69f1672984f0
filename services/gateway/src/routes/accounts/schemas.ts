import { Type } from 'typebox'

import { about, AnyText, Choice, Count } from '../../http/schemas/kinds.ts'
import { AccountName, AgentName, Cursor, Registry, UserId } from '../names.ts'
import {
  createdExample,
  deletedExample,
  memberExample,
  memberListExample,
  profileExample,
  usageExample,
} from './examples.ts'
import { MachineToken } from './token-schemas.ts'

export const RoleName = Choice(['owner', 'admin', 'member'], {
  title: 'Role',
  description: 'Role of a member in an account',
})

const AccountType = Choice(['personal', 'team'], {
  title: 'AccountType',
  description: 'Whether an account belongs to one user or to a team',
})

const Confirmed = Type.Boolean({
  description:
    'Whether the user created the account, or has confirmed that another user added them. To ' +
    'confirm, assign the current role to yourself with putMember',
})

const personMembers = {
  email: Type.Optional(AnyText('E-mail address, from the access token')),
  first_name: Type.Optional(AnyText('Given name, from the access token')),
  last_name: Type.Optional(AnyText('Family name, from the access token')),
}

const ProfileAgent = Type.Object(
  {
    name: AgentName,
    registry: Registry,
    build_count: Count('Number of its builds'),
    published_version_count: Count('Number of its published versions'),
  },
  { title: 'ProfileAgent', description: 'An agent of an account of the caller' },
)

const ProfileAccount = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Opaque and permanent' }),
    name: AccountName,
    type: AccountType,
    role: about(RoleName, 'Role of the caller'),
    confirmed: Confirmed,
    agents: Type.Optional(Type.Array(ProfileAgent, { description: 'Its agents' })),
  },
  { title: 'ProfileAccount', description: 'An account that the caller is a member of' },
)

const User = Type.Object(
  { id: UserId, ...personMembers },
  {
    title: 'User',
    description: 'The calling user; for a machine token its creator, with the id only',
  },
)

export const Profile = Type.Object(
  {
    user: User,
    accounts: Type.Array(ProfileAccount, {
      description:
        'At most 1000, sorted by name. Accounts that the user created have precedence, then ' +
        'those that they have been in for longest',
    }),
    has_more_accounts: Type.Optional(
      Type.Boolean({ description: 'True if the user is a member of more accounts' }),
    ),
    machine_token: Type.Optional(about(MachineToken, 'The machine token of the request')),
  },
  {
    title: 'Profile',
    description: 'The calling user and their accounts',
    examples: [profileExample],
  },
)

export const NameBody = Type.Object(
  { name: about(AccountName, 'The name of the account') },
  {
    title: 'AccountNameRequest',
    description: 'The name of an account',
    examples: [{ name: 'support-team' }],
  },
)

export const Renamed = Type.Object(
  { message: AnyText('Confirmation'), name: about(AccountName, 'The new name') },
  {
    title: 'RenamedAccount',
    description: 'The account was renamed',
    examples: [{ message: 'account renamed', name: 'support-team' }],
  },
)

export const CreatedAccount = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Opaque and permanent' }),
    name: AccountName,
    type: Type.Literal('team', { description: 'It is a team account' }),
    role: Type.Literal('owner', { description: 'The caller owns it' }),
  },
  {
    title: 'CreatedAccount',
    description: 'The account was created; the caller owns it',
    examples: [createdExample],
  },
)

export const DeletedAccount = Type.Object(
  {
    message: AnyText('Confirmation'),
    account: AccountName,
    dry_run: Type.Boolean({ description: 'Whether nothing was deleted' }),
    deleted: Type.Object(
      {
        agents: Type.Array(AgentName, { description: 'The first 1000 agents, sorted by name' }),
        agent_count: Count('Number of agents'),
        build_count: Count('Number of their builds'),
        member_count: Count('Number of members'),
      },
      { title: 'DeletedAccountContent', description: 'What was, or would be, deleted with it' },
    ),
  },
  {
    title: 'DeletedAccount',
    description: 'The account was deleted, or can be',
    examples: [deletedExample],
  },
)

export const MemberPath = Type.Object({
  account: about(AccountName, 'Name of the account'),
  user_id: about(UserId, 'Id of the user'),
})

export const RoleBody = Type.Object(
  { role: RoleName },
  {
    title: 'RoleRequest',
    description: 'The role of a member',
    examples: [{ role: 'member' }],
  },
)

export const Member = Type.Object(
  { user_id: UserId, ...personMembers, role: RoleName, confirmed: Confirmed },
  {
    title: 'Member',
    description:
      'A member of an account. Names and e-mail addresses of members who have not confirmed are ' +
      'visible only to themselves',
    examples: [memberExample],
  },
)

export const RemovedMember = Type.Object(
  { message: AnyText('Confirmation') },
  {
    title: 'RemovedMember',
    description: 'The member was removed',
    examples: [{ message: 'member removed' }],
  },
)

export const MemberList = Type.Object(
  {
    members: Type.Array(Member, { description: 'Sorted by user id' }),
    count: Count('Number of members in the response'),
    next_cursor: Type.Optional(Cursor),
  },
  { title: 'MemberList', description: 'A page of members', examples: [memberListExample] },
)

export const MembersQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'Maximum number of members in the response',
  }),
  cursor: Type.Optional(about(Cursor, 'next_cursor of the previous page')),
})

const Limit = Type.Object(
  {
    name: AnyText('Name of the limit, as in errors with the code quota_exceeded'),
    used: Type.Integer({ description: 'May exceed the limit, if the operator has lowered it' }),
    limit: Type.Integer({ description: 'The maximum' }),
    unit: Choice(['count', 'bytes', 'millicores'], {
      title: 'LimitUnit',
      description: 'Unit of a limit',
    }),
    description: AnyText('What is counted'),
  },
  { title: 'Limit', description: 'A limit of an account' },
)

export const Usage = Type.Object(
  {
    account: AccountName,
    limits: Type.Array(Limit, { description: 'In a fixed order' }),
    unavailable: Type.Array(Type.String(), {
      description: 'Names of limits that are missing because a service is unavailable',
    }),
  },
  {
    title: 'Usage',
    description: 'The limits of an account, and how much of them is used',
    examples: [usageExample],
  },
)
