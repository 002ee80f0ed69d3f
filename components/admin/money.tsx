import { money } from '@/components/format.ts'
import type { Amount } from '@/lib/kernel/money.ts'

/** An amount in English notation. */
export const Money = ({ amount }: { amount: Amount }) => (
  <span className="whitespace-nowrap">{money(amount, 'en')}</span>
)
