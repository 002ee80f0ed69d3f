import { z } from 'zod'
import { parsed, serviceOf, text } from './config-values.ts'

const address = 'must be an https address, or an http address on this machine'

export const taxIdVariables = {
  VIES_API_BASE: parsed(serviceOf, address)
    .optional()
    .describe('The address of VIES, which checks EU VAT IDs in live mode. If not set: the European Commission.'),
  HMRC_API_BASE: parsed(serviceOf, address)
    .optional()
    .describe('The address of HMRC, such as its sandbox. If not set: `https://api.service.hmrc.gov.uk`.'),
  HMRC_CLIENT_ID: text(255)
    .optional()
    .describe(
      'Credentials of an application at HMRC for "Check a UK VAT number" 2.0. Without them, British ' +
        'VAT numbers are checked by their form only.',
    ),
  HMRC_CLIENT_SECRET: text(255).optional().describe('The secret of that application. Required with `HMRC_CLIENT_ID`.'),
  VIES_UNKNOWN: z
    .enum(['accept', 'charge'], 'must be "accept" or "charge"')
    .default('accept')
    .describe('How a well-formed VAT ID counts while VIES or HMRC does not respond: `accept` (no tax) or `charge`.'),
  LATE_TAX_ID: z
    .enum(['correct', 'keep'], 'must be "correct" or "keep"')
    .default('correct')
    .describe(
      'What a valid tax ID on the invoice-update page does to an invoice with tax: `correct` (credit ' +
        'note, new invoice without tax, and a refund of the tax) or `keep`.',
    ),
}

type Values = z.output<z.ZodObject<typeof taxIdVariables>>

export const taxIdsOf = ({ VIES_API_BASE, VIES_UNKNOWN, LATE_TAX_ID, ...value }: Values) => ({
  /** The EU's registry, and whether an ID counts as valid if the registry does not respond. */
  vies: {
    apiBase: VIES_API_BASE ?? 'https://ec.europa.eu/taxation_customs/vies/rest-api',
    acceptsUnknown: VIES_UNKNOWN === 'accept',
  },
  hmrc: hmrcOf(value),
  /** Whether a valid ID entered after the sale returns the tax, with a new invoice; in test mode too. */
  correctsLateTaxIds: LATE_TAX_ID === 'correct',
})

/** The tax authority of the United Kingdom, for its VAT numbers; null if it is not asked. */
const hmrcOf = ({ HMRC_API_BASE, HMRC_CLIENT_ID, HMRC_CLIENT_SECRET }: Partial<Values>) =>
  HMRC_CLIENT_ID && HMRC_CLIENT_SECRET
    ? {
        apiBase: HMRC_API_BASE ?? 'https://api.service.hmrc.gov.uk',
        clientId: HMRC_CLIENT_ID,
        clientSecret: HMRC_CLIENT_SECRET,
      }
    : null
