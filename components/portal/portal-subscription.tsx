import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { money, wholeNumber } from '@/components/format.ts'
import { linkButton, primaryButton, quietButton, secondaryButton } from '@/components/ui/button.ts'
import { LocalDay } from '@/components/ui/local-time.tsx'
import type { PortalSubscriptionPage } from '@/lib/modules/portal/page.ts'
import { BackLink } from './back-link.tsx'
import { DocumentList } from './document-table.tsx'
import { PortalNotice } from './portal-notice.tsx'
import { DueNotice, NextChargeText, ScheduledText, StatusBadge } from './subscription-text.tsx'

export function PortalSubscription({ page, notice }: { page: PortalSubscriptionPage; notice: string | null }) {
  const t = useTranslations('portal')
  const { subscription, locale, timeZone, submitUrl } = page
  const { name, status, due, toPay } = subscription
  return (
    <>
      <BackLink href="/portal" />
      <div className="mt-2">
        <PortalNotice notice={notice} />
      </div>
      <h1 className="font-semibold text-title tracking-tight">{name}</h1>
      <div className="mt-3 grid gap-1">
        <p>
          <StatusBadge locale={locale} subscription={subscription} timeZone={timeZone} />
        </p>
        <ScheduledText locale={locale} subscription={subscription} timeZone={timeZone} />
        {page.undo && <Undo submitUrl={submitUrl} undo={page.undo} />}
        <NextChargeText locale={locale} subscription={subscription} timeZone={timeZone} />
        {status !== 'created' && status !== 'canceled' && <Method page={page} />}
      </div>
      <Terms page={page} />
      {due && (
        <div className="mt-6">
          <DueNotice level={2} locale={locale} subscription={subscription} timeZone={timeZone}>
            <form action={submitUrl} className="mt-2" method="post">
              <button className={primaryButton} name="intent" type="submit" value="update">
                {t('due.pay', { total: money(toPay ?? due.total, locale) })}
              </button>
            </form>
          </DueNotice>
        </div>
      )}
      <div className="mt-8 grid justify-items-start gap-2">
        {page.resume && <Resume nextCharge={page.resume.nextCharge} page={page} />}
        {page.change && (
          <a className={secondaryButton} href={page.change.url}>
            {t(`change.open.${page.change.of}`)}
          </a>
        )}
        {page.canUpdate && (
          <form action={submitUrl} method="post">
            <button className={secondaryButton} name="intent" type="submit" value="update">
              {t('update')}
            </button>
          </form>
        )}
        {page.cancelUrl && (
          <a className={`${quietButton} -ms-3`} href={page.cancelUrl}>
            {t('cancel.open')}
          </a>
        )}
      </div>
      <Invoices page={page} />
    </>
  )
}

function Undo({ undo, submitUrl }: { undo: NonNullable<PortalSubscriptionPage['undo']>; submitUrl: string }) {
  const t = useTranslations('portal.change')
  return (
    <form action={submitUrl} method="post">
      <input name="key" type="hidden" value={undo.formKey} />
      <input name="scheduled" type="hidden" value={undo.scheduled} />
      <button className={linkButton} name="intent" type="submit" value="undo">
        {t('undo')}
      </button>
    </form>
  )
}

function Terms({ page: { subscription, locale, timeZone } }: { page: PortalSubscriptionPage }) {
  const t = useTranslations('portal.facts')
  const every = useTranslations('common.every')
  const { price, quantity, every: interval, startedAt } = subscription
  const total = t('every', {
    price: money(price.total, locale),
    every: every(interval.interval, { count: interval.intervalCount }),
  })
  const unit = money(price.unit, locale)
  const facts: (readonly [label: string, value: ReactNode])[] = [
    [t('price'), price.hasTax ? t('withTax', { price: total }) : total],
    [t('quantity'), wholeNumber(quantity, locale)],
  ]
  if (quantity > 1)
    facts.push([t('unitPrice'), price.hasTax ? t(price.unitHasTax ? 'withTax' : 'beforeTax', { price: unit }) : unit])
  if (startedAt)
    facts.push([t('started'), <LocalDay key="started" locale={locale} moment={startedAt} timeZone={timeZone} />])
  return (
    <section aria-labelledby="terms" className="mt-6">
      <h2 className="font-semibold text-lead" id="terms">
        {t('heading')}
      </h2>
      <dl className="mt-3 grid grid-cols-[fit-content(50%)_minmax(0,1fr)] gap-x-6 gap-y-1 [&_time]:whitespace-normal">
        {facts.map(([label, value]) => (
          <div className="col-span-2 grid grid-cols-subgrid" key={label}>
            <dt className="text-soft">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Invoices({ page }: { page: PortalSubscriptionPage }) {
  const t = useTranslations('portal.documents')
  if (page.documents.length === 0) return null
  return (
    <section aria-labelledby="documents" className="mt-8">
      <h2 className="font-semibold text-lead" id="documents">
        {t('heading')}
      </h2>
      <div className="mt-3">
        <DocumentList label={t('heading')} page={page} />
      </div>
      {page.documentsUrl && (
        <p className="mt-3">
          <a href={page.documentsUrl}>{t('all')}</a>
        </p>
      )}
    </section>
  )
}

function Method({ page: { subscription } }: { page: PortalSubscriptionPage }) {
  const t = useTranslations('portal')
  const { mandate } = subscription
  return (
    <p className="text-soft">
      {mandate ? t(`paidWith.${mandate.method}`, { masked: mandate.maskedIdentifier }) : t('noMethod')}
    </p>
  )
}

type ResumeProps = { page: PortalSubscriptionPage } & NonNullable<PortalSubscriptionPage['resume']>

function Resume({ page, nextCharge }: ResumeProps) {
  const t = useTranslations('portal')
  const { locale, timeZone, submitUrl } = page
  return (
    <form action={submitUrl} className="mb-2 grid gap-2" method="post">
      <p>
        {nextCharge
          ? t.rich('resumeText', {
              total: money(nextCharge.total, locale),
              date: () => <LocalDay locale={locale} moment={nextCharge.at} timeZone={timeZone} />,
            })
          : t('resumeTextPaused')}
      </p>
      <p>
        <button className={primaryButton} name="intent" type="submit" value="resume">
          {t('resume')}
        </button>
      </p>
    </form>
  )
}
