import { z } from 'zod'
import { cleanTaxId } from '../../kernel/tax-id.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import {
  parsedJson,
  type Reply,
  type Send,
  type TaxIdAnswer,
  TaxIdRegistry,
  unknown,
} from '../tax-id-registry/registry.ts'
import { readAnswer } from './answer.ts'

const registry = new TaxIdRegistry('HMRC', 'hmrc')

/**
 * Checks a British VAT number (`GB980780684`, or with the prefix XI) with HMRC, API "Check a UK VAT number" 2.0. Never throws, and returns within five seconds.
 * If the seller has a British number (`requester`) that HMRC accepts, the result has a consultation number.
 */
export const askHmrc = (taxId: string, requester: string | null): Promise<TaxIdAnswer> =>
  registry.ask(async (send) => {
    const vrn = digitsOf(taxId)
    if (!/^(\d{9}|\d{12})$/.test(vrn)) return unknown('NO_NUMBER_OF_9_OR_12_DIGITS')
    const own = requester === null ? [] : [digitsOf(requester)]
    const reply = await lookUp(send, [vrn, ...own])
    // HMRC refuses an unknown requester. The check is then repeated without the requester, and its result has no proof
    // of the check.
    const isRefused = own.length > 0 && (reply.status === 400 || reply.status === 403)
    return readAnswer(isRefused ? await lookUp(send, [vrn]) : reply, vrn)
  })

export async function hmrcProblem(): Promise<string | null> {
  if (!config().hmrc) return null
  const { error } = await registry.ask(async (send) => {
    const given = await tokenOf(send)
    return 'token' in given ? { ...unknown(''), error: null } : readAnswer(given.refused, '')
  })
  return error
}

export function resetHmrc(): void {
  registry.reset()
  kept = null
}

const digitsOf = (taxId: string): string => cleanTaxId(taxId).replace(/^(GB|XI)/i, '')

async function lookUp(send: Send, numbers: readonly string[]): Promise<Reply> {
  const given = await tokenOf(send)
  if ('refused' in given) return given.refused
  const reply = await get(send, numbers, given.token)
  if (reply.status !== 401) return reply
  kept = null
  const another = await tokenOf(send)
  return 'refused' in another ? another.refused : get(send, numbers, another.token)
}

const get = (send: Send, numbers: readonly string[], token: string): Promise<Reply> =>
  send(`${config().hmrc?.apiBase}/organisations/vat/check-vat-number/lookup/${numbers.join('/')}`, {
    headers: { accept: 'application/vnd.hmrc.2.0+json', authorization: `Bearer ${token}` },
  })

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })
/**
 * A new token is requested this number of milliseconds before the current token expires, so that a token remains valid
 * during a request.
 */
const spareMs = 60_000

let kept: { readonly token: string; readonly clientId: string; readonly until: number } | null = null

async function tokenOf(send: Send): Promise<{ readonly token: string } | { readonly refused: Reply }> {
  const account = config().hmrc
  if (!account) return { refused: refusal(0, 'NOT_CONFIGURED') }
  if (kept && kept.clientId === account.clientId && Date.now() < kept.until) return kept
  const credentials = { client_id: account.clientId, client_secret: account.clientSecret }
  const { status, text } = await send(`${account.apiBase}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read:vat', ...credentials }),
  })
  const read = tokenAnswer.safeParse(parsedJson(text))
  if (status !== 200 || !read.success) {
    // The response text is not logged, because it could repeat the credentials.
    log.warn({ status }, 'HMRC issued no token')
    return { refused: refusal(status, `NO_TOKEN_HTTP_${status}`) }
  }
  const until = Date.now() + read.data.expires_in * 1000 - spareMs
  kept = { token: read.data.access_token, clientId: account.clientId, until }
  return kept
}

/** The response if no token is available. Status 0 differs from every status that HMRC returns for a VAT number. */
const refusal = (status: number, code: string): Reply => ({
  status: status >= 500 ? status : 0,
  text: JSON.stringify({ code }),
})
