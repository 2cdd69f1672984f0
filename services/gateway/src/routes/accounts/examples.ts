const ALICE = '5f0c7a5e-3c1b-4f3e-9d0a-2f8f4f9b6c11'
const TEAM = 'a1d4c7f0-0e6b-4a52-8d5e-7c2f9b3e1a46'

export const profileExample = {
  user: { id: ALICE, email: 'alice@example.com', first_name: 'Alice', last_name: 'Adams' },
  accounts: [
    {
      id: '0c9e8d7f-6b5a-4c3d-8e2f-1a0b9c8d7e6f',
      name: 'alice',
      type: 'personal',
      role: 'owner',
      confirmed: true,
      agents: [
        {
          name: 'support-agent',
          registry: '127.0.0.1:5000/support-agent',
          build_count: 3,
          published_version_count: 1,
        },
      ],
    },
  ],
}

export const createdExample = {
  id: TEAM,
  name: 'support-team',
  type: 'team',
  role: 'owner',
}

export const deletedExample = {
  message: 'account deleted',
  account: 'support-team',
  dry_run: false,
  deleted: { agents: ['support-agent'], agent_count: 1, build_count: 3, member_count: 2 },
}

export const memberExample = {
  user_id: ALICE,
  email: 'alice@example.com',
  first_name: 'Alice',
  last_name: 'Adams',
  role: 'owner',
  confirmed: true,
}

export const memberListExample = {
  members: [memberExample],
  count: 1,
}

export const usageExample = {
  account: 'alice',
  limits: [
    { name: 'agents', used: 1, limit: 1000, unit: 'count', description: 'registered agents' },
  ],
  unavailable: [],
}
