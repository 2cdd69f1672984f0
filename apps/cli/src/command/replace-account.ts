import type { Cli } from './cli.ts'

/** After an account got another name, or none, makes the context of the call follow. */
export async function replaceAccountInContext(
  cli: Cli,
  former: string,
  name: string | undefined,
): Promise<void> {
  const { context } = await cli.server()
  if (context === undefined) return
  const { account, previous_account: previous, ...kept } = context
  if (account !== former && previous !== former) return
  const next = account === former ? name : account
  const nextPrevious = previous === former ? name : previous
  await cli.contexts.put(
    {
      ...kept,
      ...(next !== undefined && { account: next }),
      ...(nextPrevious !== undefined && { previous_account: nextPrevious }),
    },
    { use: false },
  )
}
