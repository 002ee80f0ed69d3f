import { isInEuVatArea, viesParts } from '../../modules/tax/rules/index.ts'
import { config } from '../../platform/config.ts'
import { type Send, type TaxIdAnswer, TaxIdRegistry, type Waiting } from '../tax-id-registry/registry.ts'
import { readAnswer } from './answer.ts'

/** Errors that match the pattern concern only the member state of the VAT ID ("Technical information" of VIES). */
const registry = new TaxIdRegistry('VIES', 'vies', (error) => /^(MS_|TIMEOUT$)/.test(error))

/**
 * Checks a VAT ID with VIES and never throws. Returns within five seconds for a page, even with two requests, and
 * within twenty seconds in the background.
 */
export const askVies = (taxId: string, waiting: Waiting = 'page'): Promise<TaxIdAnswer> =>
  registry.ask(
    async (send) => {
      const answer = await post(send, taxId, requester())
      // If VIES does not know the seller, a request without the seller still returns a result, but no proof of the check.
      return answer.error === 'INVALID_REQUESTER_INFO' ? post(send, taxId, {}) : answer
    },
    { waiting, part: viesParts(taxId).countryCode },
  )

export const resetVies = (): void => registry.reset()

async function post(send: Send, taxId: string, requester: object): Promise<TaxIdAnswer> {
  const asked = viesParts(taxId)
  const reply = await send(`${config().vies.apiBase}/check-vat-number`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...asked, ...requester }),
  })
  return readAnswer(reply, asked)
}

function requester(): object {
  const { vatId, country } = config().seller
  if (!vatId || !isInEuVatArea(country)) return {}
  const { countryCode, vatNumber } = viesParts(vatId)
  return { requesterMemberStateCode: countryCode, requesterNumber: vatNumber }
}
