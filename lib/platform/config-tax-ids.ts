import { z } from 'zod'
import { parsed, serviceOf, text } from './config-values.ts'

const address = 'must be an https address, or an http address on this machine'

export const taxIdVariables = {
  VIES_API_BASE: parsed(serviceOf, address)
    .optional()
    .describe('The address of VIES, which checks EU VAT IDs in live mode. If not set: the European Commission.'),
  HMRC_API_BASE: parsed(serviceOf, address)
    .optional()
    .describe(
      'The address of the API of HMRC, for example of its sandbox. If not set: `https://api.service.hmrc.gov.uk`.',
    ),
  HMRC_CLIENT_ID: text(255)
    .optional()
    .describe(
      'The client id of an application at HMRC for "Check a UK VAT number" 2.0. Without an application, Billhook checks only the form of British VAT numbers.',
    ),
  HMRC_CLIENT_SECRET: text(255)
    .optional()
    .describe('The secret of the HMRC application. Required with `HMRC_CLIENT_ID`.'),
  VIES_UNKNOWN: z
    .enum(['accept', 'charge'], 'must be "accept" or "charge"')
    .default('accept')
    .describe(
      'The effect of a well-formed VAT ID while VIES or HMRC does not respond. With `accept`, the VAT ID counts as valid, so no tax is charged. With `charge`, tax is charged.',
    ),
  LATE_TAX_ID: z
    .enum(['correct', 'keep'], 'must be "correct" or "keep"')
    .default('correct')
    .describe(
      'The effect of a valid tax ID that a buyer adds to an invoice with tax. `correct` issues a credit note and a new invoice without tax, and refunds the tax. `keep` changes no amount.',
    ),
}

type Values = z.output<z.ZodObject<typeof taxIdVariables>>

export const taxIdsOf = ({ VIES_API_BASE, VIES_UNKNOWN, LATE_TAX_ID, ...value }: Values) => ({
  /** `acceptsUnknown`: whether a VAT ID counts as valid while its registry (VIES or HMRC) does not respond. */
  vies: {
    apiBase: VIES_API_BASE ?? 'https://ec.europa.eu/taxation_customs/vies/rest-api',
    acceptsUnknown: VIES_UNKNOWN === 'accept',
  },
  hmrc: hmrcOf(value),
  /** Whether a tax ID entered after the sale leads to a tax refund and a new invoice, in test mode and live mode. */
  correctsLateTaxIds: LATE_TAX_ID === 'correct',
})

/** Credentials for the VAT number service of HMRC, the British tax authority; null if they are not configured. */
const hmrcOf = ({ HMRC_API_BASE, HMRC_CLIENT_ID, HMRC_CLIENT_SECRET }: Partial<Values>) =>
  HMRC_CLIENT_ID && HMRC_CLIENT_SECRET
    ? {
        apiBase: HMRC_API_BASE ?? 'https://api.service.hmrc.gov.uk',
        clientId: HMRC_CLIENT_ID,
        clientSecret: HMRC_CLIENT_SECRET,
      }
    : null
