import { isInEuVatArea, viesParts } from '../../modules/tax/rules/index.ts'
import { config } from '../../platform/config.ts'
import { type Send, type TaxIdAnswer, TaxIdRegistry, type Waiting } from '../tax-id-registry/registry.ts'
import { readAnswer } from './answer.ts'

/** VIES asks the member state of the VAT ID. These errors are of that state alone (VIES, "Technical information", error codes). */
const registry = new TaxIdRegistry('VIES', 'vies', (error) => /^(MS_|TIMEOUT$)/.test(error))

/**
 * Asks the EU's registry (VIES) for a VAT ID. Never throws and answers within five seconds, two questions included, in the
 * background within twenty. With a seller whose VAT ID is of the EU, the answer has a consultation number.
 */
export const askVies = (taxId: string, waiting: Waiting = 'page'): Promise<TaxIdAnswer> =>
  registry.ask(
    async (send) => {
      const answer = await post(send, taxId, requester())
      // A seller that the registry does not know may ask all the same, without proof that it did.
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
