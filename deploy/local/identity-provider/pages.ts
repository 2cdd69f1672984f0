/** Escapes text for HTML and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

/** Returns the sign-in page, on which one chooses a user. */
export function loginPage(action: string, userNames: readonly string[], problem?: string): string {
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`
  const names = userNames.map((name) => `<code>${escapeHtml(name)}</code>`).join(', ')
  return page(
    'Sign in',
    `${alert}
    <p>This identity provider is for <strong>development only</strong>. It asks for no password:
    anyone who can open this page can sign in as any user.</p>
    <p>Users: ${names}</p>
    <form id="login" method="post" action="${escapeHtml(action)}">
      <label>User name
        <input type="text" name="login" autofocus autocomplete="username" required>
      </label>
    </form>
    <button type="submit" form="login">Sign in</button>`,
  )
}

/** Returns the page that asks for the code that the device shows. */
export function codeInputPage(form: string, problem: string | undefined): string {
  const role = problem === undefined ? '' : ' role="alert"'
  const text = problem ?? 'Enter the code that your device shows.'
  return page(
    'Connect a device',
    `<p${role}>${escapeHtml(text)}</p>
    ${form}
    <button type="submit" form="op.deviceInputForm">Continue</button>`,
  )
}

/** Returns the page that asks the user to compare the code with the one on the device. */
export function codeConfirmPage(form: string, client: string, userCode: string): string {
  return page(
    'Is this your device?',
    `<p><strong>${escapeHtml(client)}</strong> wants to act for you. Continue only if your device
    shows this code:</p>
    <p><code>${escapeHtml(userCode)}</code></p>
    ${form}
    <button type="submit" form="op.deviceConfirmForm" autofocus>Continue</button>
    <button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">Refuse</button>`,
  )
}

/** Returns a page with a heading and one sentence. */
export function messagePage(title: string, message: string): string {
  return page(title, `<p>${escapeHtml(message)}</p>`)
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title} · Slipway development sign-in</title>
    <style>
      body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem }
      body { margin: 4rem auto; padding: 0 1rem }
      code { font-size: 1.1em }
      [role=alert] { color: #b00020 }
      input, button { font: inherit; padding: .3rem .6rem }
    </style>
  </head>
  <body>
    <h1>${title}</h1>
    ${body}
  </body>
</html>
`
}
