import { expect, test } from 'vitest'

import { rolesToGive, whyNotChange, whyNotManage } from './permissions.ts'

const member = (role: 'member' | 'admin' | 'owner') => ({ user_id: 'u', role, confirmed: true })
const viewer = (role: 'member' | 'admin' | 'owner') => ({ id: 'v', role })

test('members may not manage, admins not owners, and owners all', () => {
  expect(whyNotManage(viewer('member'))).toContain('owners and admins')
  expect(whyNotManage(viewer('admin'))).toBeUndefined()
  expect(whyNotChange(viewer('member'), member('member'))).toContain('owners and admins')
  expect(whyNotChange(viewer('admin'), member('admin'))).toBeUndefined()
  expect(whyNotChange(viewer('admin'), member('owner'))).toContain('Only owners')
  expect(whyNotChange(viewer('owner'), member('owner'))).toBeUndefined()
})

test('only owners make others owners', () => {
  expect(rolesToGive(viewer('admin'))).toEqual(['member', 'admin'])
  expect(rolesToGive(viewer('owner'))).toEqual(['member', 'admin', 'owner'])
})
