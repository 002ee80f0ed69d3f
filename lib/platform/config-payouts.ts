import type { z } from 'zod'
import { whole } from './config-values.ts'

/** The environment variables of payouts to merchants. */
export const payoutVariables = {
  PAYOUT_HOLD_DAYS: whole('must be a number of days from 0 to 180', 0, 180).default(7),
  PAYOUT_COOLING_DAYS: whole('must be a number of days from 0 to 30', 0, 30).default(3),
}

type Values = z.output<z.ZodObject<typeof payoutVariables>>

export const payoutsOf = (value: Values) => ({
  /** Days for which the money of a live sale is not paid out. */
  payoutHoldDays: value.PAYOUT_HOLD_DAYS,
  /** Days for which new bank details are not paid to. */
  payoutCoolingDays: value.PAYOUT_COOLING_DAYS,
})
