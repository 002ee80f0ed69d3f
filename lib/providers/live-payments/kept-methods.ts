import type { PaymentMethod } from '../../modules/payments/rules/method.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'

const keptMs = 5 * 60_000
const mostKept = 500

/** The timeout of a request in milliseconds. It is short, because a buyer waits for the page. */
export const patienceMs = 3_000

/** Caches the payment methods or limits of an account for five minutes. Each key begins with the account's name. */
export class KeptMethods<Methods = readonly PaymentMethod[]> {
  private readonly kept = new Map<string, { readonly at: number; readonly methods: Promise<Methods> }>()

  constructor(private readonly usual: Methods) {}

  async methods(key: string, ask: () => Promise<Methods>): Promise<Methods> {
    const now = Date.now()
    const known = this.kept.get(key)
    if (known && now - known.at < keptMs) return known.methods
    const asked = ask().catch((error) => {
      this.kept.delete(key)
      log.warn({ error: shortError(error) }, 'the payment methods of the account could not be read')
      return this.usual
    })
    this.kept.delete(key)
    this.kept.set(key, { at: now, methods: asked })
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= mostKept) break
      this.kept.delete(oldest)
    }
    return asked
  }

  forget(): void {
    this.kept.clear()
  }
}
