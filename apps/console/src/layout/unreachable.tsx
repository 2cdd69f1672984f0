import { Brand } from './brand.tsx'

/** The server doesn't answer. The session is read again every few seconds. */
export function Unreachable() {
  return (
    <main className="sign-in">
      <Brand />
      <h1>Slipway does not answer</h1>
      <p role="status">The console tries again every 3 seconds.</p>
    </main>
  )
}
