import { useTranslations } from 'next-intl'
import { countryName } from '@/components/format.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { SellerView } from '@/lib/modules/checkouts/page.ts'
import { withdrawalFormFields } from '@/lib/modules/orders/page.ts'

/** The model withdrawal form of Directive 2011/83/EU (annex I(B)), shown before the purchase (art. 6(1)(h)). */
export function WithdrawalForm({ seller, locale }: { seller: SellerView; locale: Locale }) {
  const t = useTranslations('withdrawalForm')
  const to = [seller.name, ...seller.addressLines, countryName(seller.country, locale), seller.email]
  return (
    <section className="mt-3 rounded-box border border-line p-4">
      <h3 className="mb-2">{t('heading')}</h3>
      <ul className="grid gap-1">
        {withdrawalFormFields.map((field) => (
          <li key={field}>
            {t(field)}
            {field === 'to' && `: ${to.filter((line) => line !== null).join(', ')}`}
          </li>
        ))}
      </ul>
      <p className="mt-2">{t('delete')}</p>
    </section>
  )
}
