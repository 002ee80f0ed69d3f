const weekMs = 7 * 86_400_000

export const lateMandateMs = weekMs

/** A week after the sale, when the provider is no longer asked, or halfway to an earlier next charge. */
export const askForMethodAt = (paidAt: Date, nextChargeAt: Date): Date => {
  const half = Math.max(0, nextChargeAt.getTime() - paidAt.getTime()) / 2
  return new Date(paidAt.getTime() + Math.min(lateMandateMs, Math.floor(half)))
}
