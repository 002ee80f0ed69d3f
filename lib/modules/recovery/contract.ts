import { z } from 'zod'
import { MoneyShape, WireMoment } from '../../platform/http/shapes.ts'
import { failureReasons } from '../payments/rules/failure.ts'
import { recoveryKinds } from './rules/index.ts'

const Failure = {
  failureReason: z.enum(failureReasons).describe('Why the latest charge failed.'),
  declineType: z
    .enum(recoveryKinds)
    .describe(
      '`soft`: the payment method stays and is charged again. `hard`: the customer must provide a new ' +
        'payment method.',
    ),
  failedAt: WireMoment.describe('When the latest charge failed.'),
  nextAttemptAt: WireMoment.nullable().describe(
    'When the order is charged next. Null if no charge is scheduled, and while a charge is in progress.',
  ),
}

export const PaymentFailureShape = z.object(Failure).meta({ id: 'PaymentFailure' })

export const RecoveryShape = z
  .object({
    orderId: z.string().describe('The unpaid order.'),
    amountDue: MoneyShape.describe('The amount of the order, with tax.'),
    ...Failure,
    endsAt: WireMoment.nullable().describe(
      'When the order is canceled if no payment succeeds. Null while a charge is in progress.',
    ),
    waitsFor: z
      .literal('simulate-payment')
      .nullable()
      .describe(
        'In test mode: `simulate-payment` if the charge in progress waits for this test helper. Otherwise null.',
      ),
  })
  .meta({ id: 'Recovery' })
