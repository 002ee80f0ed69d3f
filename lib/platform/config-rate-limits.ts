import type { z } from 'zod'
import { whole } from './config-values.ts'

const limit = (what: string, byDefault: number, meaning: string) =>
  whole(`must be a number of ${what}, or 0 for no limit`, 0, 999_999_999).default(byDefault).describe(meaning)

export const rateLimitVariables = {
  RATE_LIMIT_TEST: limit(
    'requests per minute',
    1200,
    'Requests per minute and key in test mode. At most a thirtieth of this number can arrive at once.',
  ),
  RATE_LIMIT_LIVE: limit(
    'requests per minute',
    6000,
    'Requests per minute and key in live mode. At most a thirtieth of this number can arrive at once.',
  ),
  RATE_LIMIT_ANONYMOUS: limit(
    'requests per minute',
    300,
    'Requests to `/v1` without a valid key, per minute and address (in IPv6: one /64 network).',
  ),
  RATE_LIMIT_NOTICES: limit(
    'notices per minute',
    6000,
    'Notices of payment and mail providers, per minute and address.',
  ),
  RATE_LIMIT_FORMS: limit(
    'form posts per minute',
    30,
    'Form posts of the hosted pages per minute and link. Price quotes are allowed ten times as often, portal pages four times as often, and the ZIP file of invoices a third as often.',
  ),
  RATE_LIMIT_FORMS_ADDRESS: limit(
    'form posts per minute',
    1200,
    'Form posts of the hosted pages per minute and client address, with the same factors as `RATE_LIMIT_FORMS`.',
  ),
  RATE_LIMIT_CHARGES: limit('charges per hour', 20, 'Immediate charges of one subscription per hour.'),
}

type Values = z.output<z.ZodObject<typeof rateLimitVariables>>

export const rateLimitsOf = (value: Values) => ({
  rateLimitTest: value.RATE_LIMIT_TEST,
  rateLimitLive: value.RATE_LIMIT_LIVE,
  /** The maximum number of requests without a valid key, per minute and client address. */
  rateLimitAnonymous: value.RATE_LIMIT_ANONYMOUS,
  /** The maximum number of webhooks from payment and email providers, per minute and client address. */
  rateLimitNotices: value.RATE_LIMIT_NOTICES,
  /**
   * The maximum number of form submissions on hosted pages per minute: `rateLimitForms` per link, and
   * `rateLimitFormsAddress` per client address.
   */
  rateLimitForms: value.RATE_LIMIT_FORMS,
  rateLimitFormsAddress: value.RATE_LIMIT_FORMS_ADDRESS,
  rateLimitCharges: value.RATE_LIMIT_CHARGES,
})
