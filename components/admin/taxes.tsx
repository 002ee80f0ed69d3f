import { hasRate, percent, taxName } from '@/components/format.ts'
import type { Amount } from '@/lib/kernel/money.ts'
import { Money } from './money.tsx'
import { adminLocale, adminText as t } from './text.ts'

interface Tax {
  readonly taxRate: { readonly name: string; readonly percentage: number }
  readonly amount: Amount
}

export function rateText({ name, percentage }: { name: string; percentage: number | string }): string {
  const text = taxName(name, (key) => t(`taxNames.${key}`))
  return hasRate(name) ? `${text} ${percent(Number(percentage), adminLocale())}` : text
}

export const Taxes = ({ taxes }: { taxes: readonly Tax[] }) =>
  taxes.length === 0
    ? t('orders.noTax')
    : taxes.map(({ taxRate, amount }) => (
        <span className="block" key={`${taxRate.name} ${taxRate.percentage}`}>
          {rateText(taxRate)}: <Money amount={amount} />
        </span>
      ))
