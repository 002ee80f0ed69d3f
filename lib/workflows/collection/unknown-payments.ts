import { moneyText } from '../../kernel/money.ts'
import { MoneyReturned } from '../../modules/payments/provider.ts'
import type { ProviderCharge } from '../../modules/payments/provider-data.ts'
import {
  type Choice,
  chooseUnknown,
  type UnknownPayment,
  type WantedCharge,
  type WhyWaiting,
} from '../../modules/unknown-payments/rules/choose.ts'
import { giveBack, giveBackReturned, unknownFor, use } from '../../modules/unknown-payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'

/** Thrown if a charge must wait because of an unknown payment (a payment that the restored database lacks). The page *Jobs* shows the message. */
class UnknownPaymentWaits extends Error {
  override readonly name = 'UnknownPaymentWaits'
}

/**
 * Returns, by payment id, the charges that use an unknown payment, and the charges that must wait because of one. The
 * result is empty in test mode, because only live payments can be unknown.
 */
export async function unknownPaymentsFor(
  tenant: Tenant,
  charges: readonly WantedCharge[],
): Promise<ReadonlyMap<string, Choice>> {
  if (tenant.testmode || charges.length === 0) return new Map()
  return chooseUnknown(charges, await unknownFor(db(), tenant, charges))
}

/**
 * Makes a charge with `make`. If the charge uses an unknown payment, `make` gets the reference of this payment, otherwise undefined. Throws if the charge must
 * wait. Safe to repeat after a crash, because the unknown payment stays reserved for this charge.
 */
export async function chargeOrUse(
  choice: Choice | undefined,
  wanted: WantedCharge,
  make: (made: string | undefined) => Promise<ProviderCharge>,
): Promise<ProviderCharge> {
  if (choice === undefined) return make(undefined)
  const { payment } = choice
  if (choice.kind === 'waits') throw waiting(wanted, payment, choice.why)
  if (!(await use(db(), payment, wanted.paymentId)))
    throw new UnknownPaymentWaits(
      `the charge is not made, because another charge used the payment ${payment.ref} at the same time`,
    )
  try {
    const charge = await make(payment.ref)
    // If an earlier request of this charge created a payment at the provider, `make` returns that payment. The unknown
    // payment is then released for another charge.
    if (charge.ref !== payment.ref) await giveBack(db(), wanted.paymentId)
    return charge
  } catch (error) {
    if (!(error instanceof MoneyReturned)) throw error
    // Records that the money of the unknown payment was returned, so that the next attempt of the charge waits without
    // a request to the provider.
    await giveBackReturned(db(), wanted.paymentId)
    throw waiting(wanted, payment, 'money returned')
  }
}

function waiting({ amount }: WantedCharge, payment: UnknownPayment, why: WhyWaiting): UnknownPaymentWaits {
  const { provider, ref } = payment
  const reason = why === 'money returned' ? 'was refunded or disputed' : `has the amount ${moneyText(payment.amount)}`
  return new UnknownPaymentWaits(
    `the charge of ${moneyText(amount)} is not made, because the payment ${ref} at ${provider} was made after the restored backup and ${reason}. ` +
      'If the payment is not refunded yet, refund it at the provider. Then run ' +
      `\`restore release --provider ${provider} --ref ${ref}\` (guide: Restore from a backup)`,
  )
}
