import { hasRate, percent } from '@/components/format.ts'
import type { Amount } from '@/lib/kernel/money.ts'
import { Money } from './money.tsx'
import { adminLocale, adminText as t } from './text.ts'

interface Tax {
  readonly taxRate: { readonly name: string; readonly percentage: number }
  readonly amount: Amount
}

/** The taxes of an amount, one line per rate. */
export const Taxes = ({ taxes }: { taxes: readonly Tax[] }) =>
  taxes.length === 0
    ? t('orders.noTax')
    : taxes.map(({ taxRate: { name, percentage }, amount }) => (
        <span className="block" key={`${name} ${percentage}`}>
          {hasRate(name) ? `${name} ${percent(percentage, adminLocale())}` : name}: <Money amount={amount} />
        </span>
      ))
