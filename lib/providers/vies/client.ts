import { z } from 'zod'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { Connection } from '../../platform/outbound/connection.ts'
import { shortError } from '../../platform/short-error.ts'
import { Busy, WorkQueue } from '../../platform/work-queue.ts'

/** What the register says of a VAT ID. Everything is null unless it is valid. */
export interface ViesAnswer {
  readonly result: 'valid' | 'invalid' | 'unknown'
  readonly name: string | null
  readonly address: string | null
  /** The proof that it was asked. */
  readonly consultationNumber: string | null
}

const timeoutMs = 5_000
const mostBytes = 100_000
const unknown: ViesAnswer = { result: 'unknown', name: null, address: null, consultationNumber: null }
const connection = new Connection()
const queue = new WorkQueue({ atOnce: 8, most: 100, mostOfOne: 100, retryAfterSeconds: 5 })

/** A text that VIES withholds is `---`. */
const text = z
  .string()
  .transform((value) => (/^-*$/.test(value.trim()) ? null : value.trim().slice(0, 500)))
  .nullish()
  .catch(null)
const answer = z.object({
  valid: z.boolean().optional(),
  isValid: z.boolean().optional(),
  name: text,
  address: text,
  requestIdentifier: text,
})

/** For tests: VIES is asked again at once. */
export const resetVies = (): void => connection.answered()

/** Asks VIES about a VAT ID, without blanks and with its prefix. Never throws: what cannot be known is unknown. */
export async function askVies(vatId: string): Promise<ViesAnswer> {
  try {
    return await queue.run('vies', () => ask(vatId))
  } catch (error) {
    if (!(error instanceof Busy)) log.warn({ error: shortError(error) }, 'VIES did not answer')
    return unknown
  }
}

async function ask(vatId: string): Promise<ViesAnswer> {
  if (connection.pause(new Date()) > 0) return unknown
  const body = await post({ countryCode: vatId.slice(0, 2), vatNumber: vatId.slice(2), ...requester() }).catch(
    (error) => {
      connection.failed(new Date(), 'does not answer')
      throw error
    },
  )
  const { valid, isValid = valid, name, address, requestIdentifier } = answer.parse(body)
  if (isValid === undefined) {
    connection.failed(new Date(), 'has no answer')
    return unknown
  }
  connection.answered()
  if (!isValid) return { ...unknown, result: 'invalid' }
  const found = { name: name ?? null, address: address ?? null, consultationNumber: requestIdentifier ?? null }
  return { result: 'valid', ...found }
}

/** Who asks. An ID of another country than the EU's is none there. */
function requester(): { requesterMemberStateCode?: string; requesterNumber?: string } {
  const [, code, number] = /^([A-Z]{2})([A-Z0-9+*]{2,12})$/.exec(config().seller.vatId ?? '') ?? []
  const isInEu =
    code !== undefined &&
    /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)$/.test(code)
  return isInEu && number ? { requesterMemberStateCode: code, requesterNumber: number } : {}
}

async function post(body: object): Promise<unknown> {
  const response = await fetch(`${config().vies.base}/check-vat-number`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > mostBytes) throw new Error('the answer is too large')
    parts.push(part)
  }
  if (!response.ok) throw new Error(`VIES answered ${response.status}`)
  return JSON.parse(Buffer.concat(parts).toString())
}
