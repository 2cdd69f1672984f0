export const tokenExample = {
  id: '7c3e1f0a-2b4d-4c6e-8f90-1a2b3c4d5e6f',
  name: 'github/deploy',
  role: 'member',
  created_by: '5f0c7a5e-3c1b-4f3e-9d0a-2f8f4f9b6c11',
  created_at: '2026-11-23T10:00:00.000Z',
  expires_at: '2027-02-21T10:00:00.000Z',
}

export const createdTokenExample = { ...tokenExample, token: `slipway_${'…'.repeat(3)}` }

export const tokenRequestExample = { name: 'github/deploy', role: 'member', expires_in_days: 90 }
