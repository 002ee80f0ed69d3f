const weekMs = 7 * 86_400_000

/** How long a provider is asked for the payment method of a paid sale that has none. */
export const lateMandateMs = weekMs

/**
 * When a buyer is asked for the payment method that a paid sale has not left: a week later, when the provider is no longer asked for it,
 * or in the middle of the time until the next charge, if that is earlier.
 */
export const askForMethodAt = (paidAt: Date, nextChargeAt: Date): Date => {
  const half = Math.max(0, nextChargeAt.getTime() - paidAt.getTime()) / 2
  return new Date(paidAt.getTime() + Math.min(lateMandateMs, Math.floor(half)))
}
