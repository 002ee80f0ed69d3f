import { money } from '@/components/format.ts'
import type { Amount } from '@/lib/kernel/money.ts'
import { adminLocale } from './text.ts'

export const Money = ({ amount }: { amount: Amount }) => (
  <span className="whitespace-nowrap">{money(amount, adminLocale())}</span>
)
