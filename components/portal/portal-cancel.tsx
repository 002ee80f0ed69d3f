import { useTranslations } from 'next-intl'
import { money } from '@/components/format.ts'
import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { LocalDay } from '@/components/ui/local-time.tsx'
import { feedbackReasons, longestComment, type PortalCancelPage } from '@/lib/modules/portal/page.ts'
import { BackLink } from './back-link.tsx'
import { UnpaidText } from './subscription-text.tsx'

export function PortalCancel({ page }: { page: PortalCancelPage }) {
  const t = useTranslations('portal.cancel')
  const { subscription, endsAt, locale, timeZone, storefrontName: shop } = page
  const { name, url } = subscription
  return (
    <>
      <BackLink href={url} />
      <h1 className="mt-2 font-semibold text-title tracking-tight">{t('heading', { name })}</h1>
      <p className="mt-3">
        {endsAt
          ? t.rich('until', { date: () => <LocalDay locale={locale} moment={endsAt} timeZone={timeZone} /> })
          : t('now')}
      </p>
      {endsAt ? (
        <UnpaidText className="mt-2" locale={locale} subscription={subscription} timeZone={timeZone} />
      ) : (
        <LeftUnpaid locale={locale} subscription={subscription} />
      )}
      <form action={page.submitUrl} className="mt-6 grid max-w-lg gap-6" method="post">
        <fieldset>
          <legend className="mb-1 font-medium text-note">{t('reason')}</legend>
          {feedbackReasons.map((reason) => (
            <label className="flex min-h-9 cursor-pointer items-center gap-3" key={reason}>
              <input className="size-4.5 shrink-0 accent-accent" name="reason" type="radio" value={reason} />
              {t(`reasons.${reason}`)}
            </label>
          ))}
        </fieldset>
        <div>
          <label className="mb-1 block font-medium text-note" htmlFor="comment">
            {t('comment')}
          </label>
          <textarea
            aria-describedby="comment-hint"
            className="control h-24 py-2"
            id="comment"
            maxLength={longestComment}
            name="comment"
          />
          <p className="mt-1 text-note text-soft" id="comment-hint">
            {t('comment_hint', { limit: longestComment, shop })}
          </p>
        </div>
        <div className="grid gap-2">
          <button className={primaryButton} name="intent" type="submit" value="cancel">
            {t('confirm')}
          </button>
          <a className={`${secondaryButton} w-full`} href={url}>
            {t('keep')}
          </a>
        </div>
      </form>
    </>
  )
}

/** Says what an immediate end means for an open payment: a charge that has already started may still be collected, and no further charge starts. */
function LeftUnpaid({ subscription: { due, unpaid }, locale }: Pick<PortalCancelPage, 'subscription' | 'locale'>) {
  const t = useTranslations('portal')
  if (due) return <p className="mt-2">{t('cancel.open_payment', { total: money(due.total, locale) })}</p>
  return unpaid && <p className="mt-2">{t('unpaid.underway', { total: money(unpaid.total, locale) })}</p>
}
