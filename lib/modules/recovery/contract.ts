import { z } from 'zod'
import { MoneyShape, WireMoment } from '../../platform/http/shapes.ts'
import { failureReasons } from '../payments/rules/failure.ts'
import { recoveryKinds } from './rules/index.ts'

const Failure = {
  failureReason: z.enum(failureReasons).describe('Why the latest charge failed.'),
  declineType: z
    .enum(recoveryKinds)
    .describe('`soft`: the payment method stays and is charged again. `hard`: the customer needs another one.'),
  failedAt: WireMoment.describe('When the latest charge failed.'),
  nextAttemptAt: WireMoment.nullable().describe(
    'When the schedule charges the order next; null if it has no charge, and while its charge is in progress.',
  ),
}

export const PaymentFailureShape = z.object(Failure).meta({ id: 'PaymentFailure' })

export const RecoveryShape = z
  .object({
    orderId: z.string().describe('The unpaid order.'),
    amountDue: MoneyShape.describe('The amount of the order, with tax.'),
    ...Failure,
    endsAt: WireMoment.nullable().describe(
      'When the order is canceled without a payment; null while a charge is in progress.',
    ),
    waitsFor: z
      .literal('simulate-payment')
      .nullable()
      .describe('Test mode: the helper that alone settles the charge in progress; else null.'),
  })
  .meta({ id: 'Recovery' })
