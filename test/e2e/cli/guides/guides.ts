/** How the commands of a guide are run. */
export interface GuideRun {
  readonly guide: string
  /** What the guide's reader has done before. */
  readonly before?: string
  /** What a reader writes in place of what stands in the guide. */
  readonly values?: readonly (readonly [text: string, value: string])[]
  /** Commands that are not run, and why. They begin with these texts. */
  readonly skips?: readonly (readonly [command: string, reason: string])[]
  /** Blocks that are not run, and why. They contain these texts. */
  readonly skippedBlocks?: readonly (readonly [text: string, reason: string])[]
  /** Commands that end with an error, also in the guide. They contain these texts in order. */
  readonly fails?: readonly string[]
}

const INTERNET = 'needs the internet'
const SIGN_IN = 'needs a browser: sign-in.test.ts'
const TOKEN = ['$(./dev token alice)', '"$SLIPWAY_TOKEN"'] as const
const WEB_ENDPOINT = `.service_endpoints[] | select(.type == "web").url`
const WEB_URL = `$(slipway status --json | jq -r '${WEB_ENDPOINT}')`
/** Traces arrive some seconds after an answer. */
const WITH_TRACES = 'until slipway traces | grep -q .; do sleep 0.2; done; slipway traces'
const API = `API=$SERVER/api/v1
api() {
  curl -s -H "Authorization: Bearer $SLIPWAY_TOKEN" -H 'Content-Type: application/json' "$@"
}`
const SUPPORT_AGENT = `
echo "SUPPORT_API_TOKEN=any long random text" > .env
echo "name: support-agent" > astroai.yml
slipway deploy support-agent --env-file .env`
const QUESTION = 'How do I share a folder?'
const ASKED = `${SUPPORT_AGENT} --set agent.expose.enabled=true
curl "${WEB_URL}/chat" -d '{"message": "${QUESTION}", "session_id": "chat-1"}'
${WITH_TRACES}`

export const guides: readonly GuideRun[] = [
  {
    guide: 'first-agent.md',
    values: [
      ['http://…', `"${WEB_URL}"`],
      // The context of the test has no registry. The second push knows that of the first one.
      ['\nslipway push    ', '\nslipway push --registry "$REGISTRY" '],
      ['\nslipway traces    ', `\n${WITH_TRACES} `],
    ],
    skips: [
      ['npm install --global', INTERNET],
      ['slipway login', SIGN_IN],
    ],
    skippedBlocks: [['cd my-project', "is the reader's project: project.test.ts"]],
    // The broken release.
    fails: ['slipway deploy --yes'],
  },
  {
    guide: 'larger-agent.md',
    before: 'echo ACCESS_TOKEN=sesame > .env; ACCESS=sesame',
    values: [
      // A terminal asks for what the file has.
      ['slipway deploy --schedule', 'slipway deploy --env-file .env --schedule'],
      ['$URL', `"${WEB_URL}"`],
      ['\nslipway trigger count ', '\nslipway trigger count --wait '],
      ['\nslipway traces\n', `\n${WITH_TRACES}\n`],
    ],
    skippedBlocks: [['agent.py <<', 'the other language, whose packages tests do not have']],
    // The first call has no access token.
    fails: ['curl http'],
  },
  {
    guide: 'ci.md',
    before: `slipway init node ci-agent && cd ci-agent && npm install
export SLIPWAY_URL=$SERVER SLIPWAY_REGISTRY=$REGISTRY
CI_REGISTRY=$REGISTRY CI_REGISTRY_USER=ci CI_REGISTRY_PASSWORD=x API_KEY=key`,
    skips: [
      ['npm install --global', INTERNET],
      ['echo "$PASSWORD" | docker login', 'needs docker, and a login of a registry'],
    ],
  },
  {
    guide: 'catalog.md',
    values: [TOKEN, ['USER_ID', '$BOB_ID']],
    skips: [['api -X PUT $API/accounts/acme-docs -d', 'the rest of the page uses the former name']],
    // A version is published.
    fails: ['/builds/b1?dry_run', '/handbook?dry_run', '/accounts/team-of-guides?dry_run'],
  },
  {
    guide: 'machine-tokens.md',
    before: API,
    values: [
      ['  -d \'{"name": "github/deploy"', '  -d \'{"name": "github/deploy-2"'],
      [
        '7c3e1f0a-2b4d-4c6e-8f90-1a2b3c4d5e6f',
        '$(api $API/accounts/acme-docs/tokens | jq -r ".tokens[0].id")',
      ],
    ],
  },
  {
    guide: 'deployments.md',
    values: [TOKEN, ['/RUN/', '/$(api $I/docs/runs | jq -r ".runs[0].name")/']],
    // No container has restarted, and the ingestion of the example has no schedule.
    fails: ['&previous=true', '/docs/suspend', '/docs/resume'],
  },
  {
    guide: 'changes.md',
    before: `${SUPPORT_AGENT}
${API}`,
    values: [['"revision": 4', '"revision": 1']],
  },
  {
    guide: 'deploy-command.md',
    before: `${SUPPORT_AGENT} --set agent.replicas=2; slipway deploy --set agent.replicas=1`,
    values: [
      ['diff 3 5', 'diff 1 2'],
      ['diff 3', 'diff 1'],
      ['rollback 4', 'rollback 1'],
      // An account has one deployment of a name.
      ['bob/support-agent@1.0.0', 'bob/published-agent@1.0.0 --env-file .env'],
    ],
  },
  {
    guide: 'traces.md',
    before: ASKED,
    values: [TOKEN, ['BUILD', 'b1'], ['USER', 'u1'], ['MODEL', 'm1']],
    // The traces of the example agent have no sessions.
    fails: ['/observability/sessions/'],
  },
]

/** Guides whose commands are run elsewhere, or nowhere. */
export const others: Readonly<Record<string, string>> = {
  'backup.md': 'backup.long.test.ts',
  'client.md': 'its programs: client-guide.test.ts',
  'identity-providers.md': 'needs an identity provider of the reader',
  'scale.md': 'drains a node: upgrade.long.test.ts',
  'uninstall.md': 'removes an install: demo of the chart',
  'upgrade.md': 'changes an install: upgrade.long.test.ts',
}
