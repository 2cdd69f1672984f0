// Codex CLI. It sends its own telemetry; the tool of the agent is on an MCP server, which is this
// program as well.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

import { getWeather, given, MODEL, runTurns, usesWeather } from './recorded.ts'

const MCP = 'mcp'

if (process.argv[2] === MCP) await serveTool()
else await runCodex()

async function serveTool(): Promise<void> {
  const server = new McpServer({ name: 'weather', version: '1.0.0' })
  const about = {
    description: 'Returns the weather in a city.',
    inputSchema: { city: z.string() },
  }
  server.registerTool('get_weather', about, ({ city }: { city: string }) => ({
    content: [{ type: 'text', text: getWeather(city) }],
  }))
  await server.connect(new StdioServerTransport())
}

async function runCodex(): Promise<void> {
  // It keeps its settings and sessions in its home.
  const home = mkdtempSync(join(process.cwd(), 'home-'))
  writeFileSync(join(home, 'config.toml'), settings())
  const options = ['--json', '--skip-git-repo-check']
  let isFirst = true
  await runTurns(async (question) => {
    const start = isFirst ? ['exec', ...options] : ['exec', 'resume', '--last', ...options]
    isFirst = false
    const codex = join(process.cwd(), 'node_modules/.bin/codex')
    const env = { ...process.env, CODEX_HOME: home, HOME: home }
    const running = promisify(execFile)(codex, [...start, question], { cwd: home, env })
    running.child.stdin?.end()
    await running
  })
  rmSync(home, { recursive: true })
}

function settings(): string {
  const endpoint = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? ''
  const token = (process.env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '').replace(/^authorization=/, '')
  const exporter = (signal: string) =>
    `{ otlp-http = { endpoint = "${endpoint}/v1/${signal}", protocol = "binary", ` +
    `headers = { authorization = "${decodeURIComponent(token)}" } } }`
  const weather = `
[mcp_servers.weather]
command = "${process.execPath}"
args = ["${process.argv[1] ?? ''}", "${MCP}"]
env_vars = ["RECORDED_CASE"]
default_tools_approval_mode = "approve"
`
  return `
model = "${MODEL}"
model_provider = "local"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.local]
name = "OpenAI"
base_url = "${process.env['OPENAI_BASE_URL'] ?? ''}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[otel]
environment = "production"
log_user_prompt = ${String(given.mode !== 'without-content')}
log_agent_responses = ${String(given.mode !== 'without-content')}
exporter = ${exporter('logs')}
trace_exporter = ${exporter('traces')}
metrics_exporter = "none"
${usesWeather ? weather : ''}`
}
