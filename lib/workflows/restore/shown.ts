import { toWire } from '../../kernel/moment.ts'
import { formatMoney } from '../../kernel/money.ts'
import type { UnknownPayment } from '../../modules/unknown-payments/rules/choose.ts'
import { type Listed, nextStep } from '../../modules/unknown-payments/rules/next-step.ts'

export function shown(payment: UnknownPayment, where: Pick<Listed, 'hasStorefront' | 'charges'>) {
  const { provider, ref, storefrontId, amount, status, createdAt } = payment
  return {
    provider,
    ref,
    storefrontId,
    amount: formatMoney(amount),
    currency: amount.currency,
    status,
    createdAt: toWire(createdAt),
    ...nextStep({ ...payment, ...where }),
  }
}

export type ShownUnknownPayment = ReturnType<typeof shown>
