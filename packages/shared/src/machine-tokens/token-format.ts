import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** How every machine token begins, for secret scanners. */
export const MACHINE_TOKEN_PREFIX = 'slipway_'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_BYTES = 32
/** Enough digits for 32 bytes. */
const SECRET_LENGTH = 43
/** Enough digits for 4 bytes. */
const CHECK_LENGTH = 6
const FORM = new RegExp(
  `^(${MACHINE_TOKEN_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`,
)

/**
 * Makes a token: the prefix, 256 random bits, and a checksum, by which typing errors and made-up
 * tokens are found without a database.
 */
export function newMachineToken(): string {
  const secret = inDigits(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_LENGTH)
  const start = `${MACHINE_TOKEN_PREFIX}${secret}`
  return `${start}${checkOf(start)}`
}

/** Whether a text has the form of a machine token, and the right checksum. */
export function isMachineToken(text: string): boolean {
  const [, start, check] = FORM.exec(text) ?? []
  return start !== undefined && checkOf(start) === check
}

/** What is stored in place of a token, which has too many random bits to be guessed. */
export function hashMachineToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

function checkOf(start: string): string {
  return inDigits(BigInt(crc32(start)), CHECK_LENGTH)
}

function inDigits(number: bigint, length: number): string {
  let rest = number
  let text = ''
  while (text.length < length) {
    text = `${DIGITS[Number(rest % 62n)] ?? ''}${text}`
    rest /= 62n
  }
  return text
}
