import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The arguments of all processes with this home folder: what any user of the machine can read. */
export async function argumentsOfProcesses(home: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async (id) => {
      const environment = await readProcess(id, 'environ')
      if (!environment.includes(`HOME=${home}`)) return []
      return (await readProcess(id, 'cmdline')).join(' ')
    }),
  )
  return found.flat()
}

/** Empty if the process has ended, or is another user's. */
async function readProcess(id: string, file: 'environ' | 'cmdline'): Promise<string[]> {
  try {
    return (await readFile(join('/proc', id, file), 'utf8')).split('\0')
  } catch {
    return []
  }
}
