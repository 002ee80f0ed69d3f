/** The digits are in byte order, so that a database that compares bytes sorts ids correctly. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const idPrefixes = [
  'merchant_',
  'storefront_',
  'key_',
  'operator_',
  'customer_',
  'note_',
  'subscription_plan_',
  'one_off_product_',
  'subscription_',
  'checkout_',
  'checkout_item_',
  'payment_link_',
  'order_',
  'order_item_',
  'payment_',
  'mandate_',
  'provider_account_',
  'webhook_',
  'webhook_event_',
  'delivery_',
  'attempt_',
  'task_',
  'ledger_',
  'entry_',
  'sandbox_',
  'request_',
  'mail_',
  'period_',
  'recovery_',
  'fast_forward_',
  'simulation_',
  'registration_',
  'check_',
  'billing_link_',
  'refund_',
  'refund_item_',
  'chargeback_',
  'chargeback_item_',
  'evidence_',
  'payout_',
  'payout_account_',
  'payout_batch_',
  'invoice_version_',
  'invoice_link_',
  'portal_session_',
  'email_change_',
  'suppression_',
  'operator_session_',
  'passkey_',
  'invitation_',
  'password_reset_',
] as const
export type IdPrefix = (typeof idPrefixes)[number]

const idDigits = 22
const microsecondBits = 50n
const randomBits = 44n

/** The number of base62 digits that one bigint operation splits off. A JavaScript number represents eight digits exactly, but not nine. */
const digitsAtOnce = 8
const base = 62n ** BigInt(digitsAtOnce)

function base62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value; text.length < digits; rest /= base) {
    let part = Number(rest % base)
    for (let digit = 0; digit < digitsAtOnce && text.length < digits; digit += 1) {
      text = alphabet[part % 62] + text
      part = Math.floor(part / 62)
    }
  }
  return text
}

/**
 * Returns an id of 130 bits that sorts by its time of creation. The highest 36 bits are the seconds on the creator's clock (in test mode, the test clock). The
 * next 50 bits are real microseconds since 2026, which are unique in a process. The last 44 bits are random. The microseconds sort ids that were created while
 * the test clock was stopped.
 */
export function makeId(prefix: IdPrefix, second: number, microsecond: bigint, random: bigint): string {
  const value = (BigInt(second) << (microsecondBits + randomBits)) | (microsecond << randomBits) | random
  return prefix + base62(value, idDigits)
}

/** The smallest id that can be created in the same second as `moment`. Ids of earlier seconds sort before this id. */
export const firstIdAt = (prefix: IdPrefix, moment: Date): string =>
  makeId(prefix, Math.max(0, Math.floor(moment.getTime() / 1000)), 0n, 0n)

export function microsecondOf(id: string): bigint {
  const digits = [...id.slice(-idDigits)].map((digit) => BigInt(alphabet.indexOf(digit)))
  const value = digits.reduce((sum, digit) => sum * 62n + digit, 0n)
  return (value >> randomBits) & ((1n << microsecondBits) - 1n)
}

/** Whether a text has the form of an id. Does not check whether the resource exists. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return (
    text.length === prefix.length + idDigits &&
    text.startsWith(prefix) &&
    /^[0-9A-Za-z]*$/.test(text.slice(prefix.length))
  )
}

/**
 * Skips bytes of 248 and above, because 248 is the largest multiple of 62 in a byte. All digits are therefore equally
 * likely.
 */
export function base62FromBytes(bytes: Uint8Array, length: number): string {
  let text = ''
  for (const byte of bytes) {
    if (text.length === length) break
    if (byte < 248) text += alphabet[byte % 62]
  }
  if (text.length < length) throw new Error('base62FromBytes: not enough random bytes')
  return text
}
