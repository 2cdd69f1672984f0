import { expect, test } from 'vitest'
import { cgroupMounts } from './cgroups.ts'

test('cgroupMounts finds the hierarchies of both versions', () => {
  const mounts = `/dev/vda / ext4 rw 0 0
tmpfs /sys/fs/cgroup tmpfs rw 0 0
cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0
cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0
`
  expect(cgroupMounts(mounts)).toEqual(['/sys/fs/cgroup/memory', '/sys/fs/cgroup/unified'])
})
