import { useTranslations } from 'next-intl'
import { day, wholeNumber } from '@/components/format.ts'
import { secondaryButton } from '@/components/ui/button.ts'
import { Icon } from '@/components/ui/icon.tsx'
import type { PortalOverview, PortalSubscription } from '@/lib/modules/portal/page.ts'
import { DocumentList } from './document-table.tsx'
import { PortalNotice } from './portal-notice.tsx'
import { DueNotice, NextChargeText, ScheduledText, StatusBadge } from './subscription-text.tsx'

export function PortalHome({ page, notice }: { page: PortalOverview; notice: string | null }) {
  const t = useTranslations('portal')
  const { locale, timeZone, subscriptions, documents, storefrontName: shop } = page
  return (
    <>
      <PortalNotice notice={notice} />
      <h1 className="font-semibold text-title tracking-tight">{t('signIn.heading', { shop })}</h1>
      <section aria-labelledby="subscriptions" className="mt-8">
        <h2 className="font-semibold text-lead" id="subscriptions">
          {t('subscriptions.heading')}
        </h2>
        {subscriptions.length === 0 ? (
          <p className="mt-2 text-soft">{t('subscriptions.none')}</p>
        ) : (
          <ul className="mt-3 grid grid-cols-1 gap-3">
            {subscriptions.map((each) => (
              <SubscriptionCard key={each.id} locale={locale} subscription={each} timeZone={timeZone} />
            ))}
          </ul>
        )}
        {page.detailsUrl && (
          <p className="mt-3">
            <a href={page.detailsUrl}>{t('details.open')}</a>
          </p>
        )}
      </section>
      {page.withdrawals.length > 0 && (
        <section aria-labelledby="withdrawals" className="mt-10">
          <h2 className="font-semibold text-lead" id="withdrawals">
            {t('withdrawals.heading')}
          </h2>
          <ul className="mt-3 grid grid-cols-1 gap-3">
            {page.withdrawals.map(({ number, description, until, url }) => (
              <li
                className="flex flex-wrap items-center justify-between gap-3 rounded-box border border-line p-4"
                key={url}
              >
                <span className="min-w-0">
                  {description}
                  <span className="block text-note text-soft">
                    {t('withdrawals.until', { number, date: day(until, locale) })}
                  </span>
                </span>
                <a aria-label={t('withdrawals.openOf', { name: description })} className={secondaryButton} href={url}>
                  {t('withdrawals.open')}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="documents" className="mt-10">
        <h2 className="font-semibold text-lead" id="documents">
          {t('documents.heading')}
        </h2>
        {documents.length === 0 ? (
          <p className="mt-2 text-soft">{t('documents.none')}</p>
        ) : (
          <div className="mt-3">
            <DocumentList label={t('documents.heading')} page={page} />
          </div>
        )}
        {page.documentsUrl && (
          <p className="mt-3">
            <a href={page.documentsUrl}>{t('documents.all')}</a>
          </p>
        )}
      </section>
    </>
  )
}

function SubscriptionCard({
  subscription,
  locale,
  timeZone,
}: { subscription: PortalSubscription } & Pick<PortalOverview, 'locale' | 'timeZone'>) {
  const t = useTranslations('portal')
  const { name, quantity, url } = subscription
  return (
    <li className="relative rounded-box border border-line bg-paper p-4 transition-colors hover:border-field hand:p-5">
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 font-semibold">
          <a className="after:absolute after:inset-0 after:rounded-box" href={url}>
            {name}
          </a>
        </h3>
        <Icon className="size-5 shrink-0 -rotate-90 text-soft" name="chevron" />
      </div>
      <p className="mt-1">
        <StatusBadge locale={locale} subscription={subscription} timeZone={timeZone} />
      </p>
      {quantity > 1 && (
        <p className="text-note text-soft">{t('quantity', { quantity: wholeNumber(quantity, locale) })}</p>
      )}
      <ScheduledText className="text-note text-soft" locale={locale} subscription={subscription} timeZone={timeZone} />
      <NextChargeText className="text-note text-soft" locale={locale} subscription={subscription} timeZone={timeZone} />
      {subscription.due && (
        <div className="mt-3">
          <DueNotice level={4} locale={locale} subscription={subscription} timeZone={timeZone} />
        </div>
      )}
    </li>
  )
}
