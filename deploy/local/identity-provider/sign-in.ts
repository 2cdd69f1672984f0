// Signs a user in with the device flow and writes the access token to a file: sign-in.ts USER FILE.
import { writeFile } from 'node:fs/promises'
import { login } from './device-login.ts'

const [user, file] = process.argv.slice(2)
const issuer = process.env['ISSUER']
if (user === undefined || file === undefined || issuer === undefined) {
  console.error('usage: ISSUER=<url> node sign-in.ts USER FILE')
  process.exit(2)
}
await writeFile(file, await login(issuer, user), { mode: 0o600 })
console.log(`${user} is signed in at ${issuer}`)
