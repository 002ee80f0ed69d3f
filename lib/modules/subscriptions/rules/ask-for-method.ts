const weekMs = 7 * 86_400_000

/** How long the provider is asked for the payment method of a paid sale that has none. */
export const lateMandateMs = weekMs

/**
 * When to ask a buyer for a payment method that is missing after a paid sale: a week later, when the provider is no
 * longer asked, or after half of the time until the next charge if that is earlier.
 */
export const askForMethodAt = (paidAt: Date, nextChargeAt: Date): Date => {
  const half = Math.max(0, nextChargeAt.getTime() - paidAt.getTime()) / 2
  return new Date(paidAt.getTime() + Math.min(lateMandateMs, Math.floor(half)))
}
