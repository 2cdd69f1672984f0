import type { DeclaredCredential } from './environment/variables.ts'
import { own } from './json.ts'

/** The adapters that the messaging container may serve, with the credentials each needs. */
export const interfaceAdapters: Readonly<
  Record<string, { readonly credentials: readonly DeclaredCredential[] }>
> = {
  slack: {
    credentials: [
      slackCredential('SLACK_BOT_TOKEN', 'Slack bot token'),
      slackCredential('SLACK_APP_TOKEN', 'Slack app-level token'),
    ],
  },
  web: { credentials: [] },
}

/** Returns the credentials of the given adapters. Unknown adapters are ignored. */
export function interfaceCredentials(adapters: readonly string[]): DeclaredCredential[] {
  return [...new Set(adapters)].flatMap(
    (adapter) => own(interfaceAdapters, adapter)?.credentials ?? [],
  )
}

function slackCredential(key: string, description: string): DeclaredCredential {
  return {
    key,
    provider: 'slack',
    category: 'messaging',
    description,
    optional: false,
    secret: true,
  }
}
