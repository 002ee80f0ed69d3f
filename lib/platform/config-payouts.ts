import type { z } from 'zod'
import { percent } from '../kernel/money.ts'
import { bicOf, ibanOf } from '../kernel/sepa.ts'
import { decimal, euroAmount, parsed, whole } from './config-values.ts'

const aPercentage = 'must be a percentage from 0 to 100 with at most 4 decimals, such as 5 or 2.5'

export const payoutVariables = {
  FEE_PERCENT: decimal(aPercentage, 4)
    .transform(percent)
    .refine(({ numerator, denominator }) => numerator <= denominator, aPercentage)
    .default(percent('5'))
    .describe('The fee of the service on a sale, as a percentage of the net amount.'),
  FEE_FIXED: euroAmount('must be an amount in euros with at most 2 decimals, such as 0.50')
    .default(50n)
    .describe('The fixed part of the fee on a sale, in EUR.'),
  RETURNED_DEBIT_FEE: euroAmount('must be an amount in euros with at most 2 decimals, such as 7.50')
    .default(750n)
    .describe("The bank's fee for a returned direct debit, in EUR. The merchant bears this amount."),
  CHARGEBACK_FEE: euroAmount('must be an amount in euros with at most 2 decimals, such as 15.00')
    .default(1500n)
    .describe("The payment provider's fee for a dispute, in EUR. The merchant bears this amount."),
  PAYOUT_HOLD_DAYS: whole('must be a number of days from 0 to 180', 0, 180)
    .default(7)
    .describe('Days before the money of a live sale can be paid out. Test mode has no waiting time.'),
  PAYOUT_COOLING_DAYS: whole('must be a number of days from 0 to 30', 0, 30)
    .default(3)
    .describe('Days before a payout goes to changed bank details.'),
  PAYOUT_RESERVE_PERCENT: decimal(aPercentage, 4)
    .transform(percent)
    .refine(({ numerator, denominator }) => numerator <= denominator, aPercentage)
    .default(percent('0'))
    .describe('The share of live sales that is kept as a reserve for disputes, as a percentage.'),
  PAYOUT_RESERVE_DAYS: whole('must be a number of days from 1 to 540', 1, 540)
    .default(90)
    .describe('Days after a payment for which the reserve is kept.'),
  PAYOUT_IBAN: parsed(
    ibanOf,
    'must be an IBAN of a SEPA country with valid check digits, such as NL91 ABNA 0417 1643 00',
  )
    .optional()
    .describe(
      'The IBAN of your account for payouts. Bank files contain transfers from this account to merchants. Without an IBAN, you make payouts by hand.',
    ),
  PAYOUT_BIC: parsed(bicOf, 'must be a BIC of 8 or 11 characters, such as ABNANL2A')
    .optional()
    .describe('The BIC of the account in `PAYOUT_IBAN`, if your bank requires it.'),
}

type Values = z.output<z.ZodObject<typeof payoutVariables>>

export const payoutsOf = (value: Values) => ({
  /** The platform fee on a sale: `part` is a share of the net amount, `fixed` is in cents. */
  fee: { part: value.FEE_PERCENT, fixed: value.FEE_FIXED },
  /** The fee for a chargeback, in cents. */
  chargebackFee: value.CHARGEBACK_FEE,
  /** The fee for a returned direct debit, in cents. */
  returnedDebitFee: value.RETURNED_DEBIT_FEE,
  /** The proceeds of a live sale can be paid out after this number of days. */
  payoutHoldDays: value.PAYOUT_HOLD_DAYS,
  /** `share` of each sale is withheld for disputes until `days` days after the payment. */
  payoutReserve: { share: value.PAYOUT_RESERVE_PERCENT, days: value.PAYOUT_RESERVE_DAYS },
  /** No payout is sent to new bank details for this number of days. */
  payoutCoolingDays: value.PAYOUT_COOLING_DAYS,
  /** The operator's account for payouts. Bank files contain transfers from this account to merchants. Null if Billhook creates no bank files. */
  payoutsFrom: value.PAYOUT_IBAN === undefined ? null : { iban: value.PAYOUT_IBAN, bic: value.PAYOUT_BIC ?? null },
})
