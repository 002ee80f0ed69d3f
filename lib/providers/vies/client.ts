import { isInEuVatArea, viesParts } from '../../modules/tax/rules/index.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { readAnswer, unknown, type ViesAnswer } from './answer.ts'

const timeLimitMs = 5_000
const mostAtOnce = 16
const mostBytes = 65_536
/** After so many failures in a row nothing is asked for a while: buyers do not wait for a registry that is down. */
const failuresToPause = 5
const pauseMs = 30_000

let asking = 0
let failures = 0
let pausedUntil = 0

/**
 * Asks the EU's registry (VIES) for a VAT ID. Never throws and answers within five seconds, two questions included:
 * silence, errors, and more than 16 questions at once are `unknown`. With a seller whose VAT ID is of the EU, the answer
 * has a consultation number.
 */
export async function askVies(taxId: string): Promise<ViesAnswer> {
  if (Date.now() < pausedUntil) return unknown('PAUSED_AFTER_FAILURES')
  if (asking >= mostAtOnce) return unknown('TOO_MANY_QUESTIONS')
  asking++
  try {
    const signal = AbortSignal.timeout(timeLimitMs)
    const answer = await post(taxId, requester(), signal)
    // A seller that the registry does not know may ask all the same, without proof that it did.
    return answer.error === 'INVALID_REQUESTER_INFO' ? await post(taxId, {}, signal) : answer
  } finally {
    asking--
  }
}

/** Forgets failures, as a new process does. */
export function resetVies(): void {
  failures = 0
  pausedUntil = 0
}

async function post(taxId: string, requester: object, signal: AbortSignal): Promise<ViesAnswer> {
  const asked = viesParts(taxId)
  try {
    const response = await fetch(`${config().vies.apiBase}/check-vat-number`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ ...asked, ...requester }),
      redirect: 'error',
      signal,
    })
    const text = await readText(response, mostBytes)
    if (response.status >= 500) failed(`HTTP_${response.status}`)
    else failures = 0
    return readAnswer({ status: response.status, text }, asked)
  } catch {
    const error = signal.aborted ? 'TIMEOUT' : 'CONNECTION_FAILED'
    failed(error)
    return unknown(error)
  }
}

function failed(error: string): void {
  failures++
  log.warn({ error }, 'VIES does not answer')
  if (failures >= failuresToPause) pausedUntil = Date.now() + pauseMs
}

function requester(): object {
  const { vatId, country } = config().seller
  if (!vatId || !isInEuVatArea(country)) return {}
  const { countryCode, vatNumber } = viesParts(vatId)
  return { requesterMemberStateCode: countryCode, requesterNumber: vatNumber }
}
