import { spawn } from 'node:child_process'

/**
 * Opens a page in the user's browser. Returns whether there may be one: on a remote machine or
 * without a display, there is none.
 */
export function openBrowser(page: string, env: NodeJS.ProcessEnv): boolean {
  const command = browserCommand(env)
  // Only web pages: a server must not be able to start other programs.
  if (command === undefined || !/^https?:\/\//.test(page)) return false
  const [program = '', ...args] = command
  const child = spawn(program, [...args, page], { stdio: 'ignore', detached: true })
  child.on('error', () => {}) // the address is shown anyway
  child.unref()
  return true
}

function browserCommand(env: NodeJS.ProcessEnv): readonly string[] | undefined {
  if (env['BROWSER']) return env['BROWSER'] === 'none' ? undefined : [env['BROWSER']]
  if (env['SSH_CONNECTION'] || env['CI']) return undefined
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined
}
