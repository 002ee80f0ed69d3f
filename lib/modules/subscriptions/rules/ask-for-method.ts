const weekMs = 7 * 86_400_000

export const lateMandateMs = weekMs

/**
 * Returns the time at which the service asks the buyer for a payment method. This time is a week after the sale, or
 * halfway to the next charge if that is earlier. A week after the sale, the service also stops asking the provider for
 * the mandate of the sale.
 */
export const askForMethodAt = (paidAt: Date, nextChargeAt: Date): Date => {
  const half = Math.max(0, nextChargeAt.getTime() - paidAt.getTime()) / 2
  return new Date(paidAt.getTime() + Math.min(lateMandateMs, Math.floor(half)))
}
