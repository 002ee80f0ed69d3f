import type { z } from 'zod'
import { percent } from '../kernel/money.ts'
import { bicOf, ibanOf } from '../kernel/sepa.ts'
import { decimal, parsed, whole } from './config-values.ts'

const aPercentage = 'must be a percentage from 0 to 100 with at most 4 decimals, such as 5 or 2.5'

/** The environment variables of payouts to merchants. */
export const payoutVariables = {
  PAYOUT_HOLD_DAYS: whole('must be a number of days from 0 to 180', 0, 180).default(7),
  PAYOUT_COOLING_DAYS: whole('must be a number of days from 0 to 30', 0, 30).default(3),
  PAYOUT_RESERVE_PERCENT: decimal(aPercentage, 4)
    .transform(percent)
    .refine(({ numerator, denominator }) => numerator <= denominator, aPercentage)
    .default(percent('0')),
  PAYOUT_RESERVE_DAYS: whole('must be a number of days from 1 to 540', 1, 540).default(90),
  PAYOUT_IBAN: parsed(ibanOf, 'must be an IBAN of a SEPA country with valid check digits').optional(),
  PAYOUT_BIC: parsed(bicOf, 'must be a BIC of 8 or 11 characters').optional(),
}

type Values = z.output<z.ZodObject<typeof payoutVariables>>

export const payoutsOf = (value: Values) => ({
  /** Days for which the money of a live sale is not paid out. */
  payoutHoldDays: value.PAYOUT_HOLD_DAYS,
  /** The share of a balance's sales that is kept for disputes, and for how many days after their payment. */
  payoutReserve: { share: value.PAYOUT_RESERVE_PERCENT, days: value.PAYOUT_RESERVE_DAYS },
  /** Days for which new bank details are not paid to. */
  payoutCoolingDays: value.PAYOUT_COOLING_DAYS,
  /** The seller's account, which bank files pay from; null: there are none. */
  payoutsFrom: value.PAYOUT_IBAN === undefined ? null : { iban: value.PAYOUT_IBAN, bic: value.PAYOUT_BIC ?? null },
})
