import { useTranslations } from 'next-intl'
import { taxLabel } from '@/components/checkout/quote-text.ts'
import { money, wholeNumber } from '@/components/format.ts'
import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import { LocalDay } from '@/components/ui/local-time.tsx'
import { Notice } from '@/components/ui/notice.tsx'
import type { PortalChangePage, PortalPlan, PortalQuote } from '@/lib/modules/portal/page.ts'
import { BackLink } from './back-link.tsx'

const mostQuantity = 999_999

/** Changes plan and quantity in three steps: the customer chooses, sees a preview, and confirms. */
export function PortalChange({ page }: { page: PortalChangePage }) {
  const t = useTranslations('portal.change')
  const { subscription, block, problem, preview, isStale } = page
  const said = problem && problem !== 'quantity' ? problem : null
  return (
    <>
      <BackLink href={subscription.url} />
      <h1 className="mt-2 font-semibold text-title tracking-tight">{t('title', { name: subscription.name })}</h1>
      {isStale && !block && (
        <div className="mt-4">
          <Notice takesFocus title={t('stale.title')} tone="wrong">
            <p>{t('stale.text')}</p>
          </Notice>
        </div>
      )}
      {block ? (
        <div className="mt-4">
          <Notice takesFocus={isStale} title={t('blocked')} tone="plain">
            <p>{t(`blocks.${block}`, { shop: page.storefrontName })}</p>
          </Notice>
        </div>
      ) : (
        <>
          <ChoiceForm page={page} />
          {said && (
            <div className="mt-6">
              <Notice id="problem" takesFocus={!isStale} title={t('refused')} tone="wrong">
                <p>{t(`problems.${said}`)}</p>
              </Notice>
            </div>
          )}
          {preview && <Preview page={page} preview={preview} />}
        </>
      )}
    </>
  )
}

/** A GET form, so that the preview has a URL and reloading changes nothing. */
function ChoiceForm({ page }: { page: PortalChangePage }) {
  const t = useTranslations('portal')
  const { plans, values, mayChangeQuantity, problem, locale } = page
  return (
    <form action={page.url} className="mt-6 grid max-w-lg gap-5" method="get" noValidate>
      {plans.length > 0 && (
        <fieldset>
          <legend className="mb-1 font-medium text-note">{t('change.plan')}</legend>
          <div className="grid gap-2">
            {plans.map((plan) => (
              <label
                className="flex min-h-12 cursor-pointer items-center gap-3 rounded-box border border-line bg-paper px-4 py-2"
                key={plan.id}
              >
                <input
                  className="size-4.5 shrink-0 accent-accent"
                  defaultChecked={plan.id === values.planId}
                  name="plan"
                  type="radio"
                  value={plan.id}
                />
                <span className="min-w-0">
                  {plan.name}
                  <span className="block text-note text-soft">
                    <PlanPrice locale={locale} plan={plan} />
                  </span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {mayChangeQuantity && (
        <Field
          autoComplete="off"
          autoFocus={problem === 'quantity'}
          defaultValue={values.quantity}
          error={
            problem === 'quantity'
              ? t('change.problems.quantity', { most: wholeNumber(mostQuantity, locale) })
              : undefined
          }
          inputMode="numeric"
          label={t('facts.quantity')}
          maxLength={6}
          name="quantity"
        />
      )}
      <p>
        <button className={secondaryButton} type="submit">
          {t('change.show')}
        </button>
      </p>
    </form>
  )
}

function PlanPrice({
  plan: { price, hasTax, every },
  locale,
}: {
  plan: PortalPlan
  locale: PortalChangePage['locale']
}) {
  const t = useTranslations()
  const perUnit = t('portal.facts.every', {
    price: money(price, locale),
    every: t(`common.every.${every.interval}`, { count: every.intervalCount }),
  })
  return <>{t(hasTax ? 'portal.facts.withTax' : 'portal.facts.beforeTax', { price: perUnit })}</>
}

type PreviewProps = { page: PortalChangePage; preview: NonNullable<PortalChangePage['preview']> }

function Preview({ page, preview }: PreviewProps) {
  const t = useTranslations()
  const { locale, timeZone, values, isStale } = page
  const { direction, dueNow, nextRenewal, terms, formKey } = preview
  const item = t('checkout.receipt.quantity', {
    quantity: wholeNumber(preview.item.quantity, locale),
    name: preview.item.name,
  })
  return (
    <section
      aria-labelledby="preview"
      // biome-ignore lint/a11y/noAutofocus: the buyer has just requested this content with the form above
      autoFocus={!isStale}
      className="mt-8 max-w-lg rounded-box border border-line bg-paper p-4 hand:p-5"
      tabIndex={-1}
    >
      <h2 className="font-semibold text-lead" id="preview">
        {t('portal.change.preview')}
      </h2>
      <div className="mt-2 grid gap-2">
        {direction === 'increase' ? (
          <p>{t('portal.change.atOnce', { item })}</p>
        ) : (
          nextRenewal && (
            <p>
              {t.rich('portal.change.later', {
                item,
                date: () => <LocalDay locale={locale} moment={nextRenewal.at} timeZone={timeZone} />,
              })}
            </p>
          )
        )}
        {dueNow ? <Quote page={page} quote={dueNow} /> : <p>{t('portal.change.nothingNow')}</p>}
        {nextRenewal && (
          <p>
            {t.rich('portal.nextCharge', {
              total: money(nextRenewal.total, locale),
              date: () => <LocalDay locale={locale} moment={nextRenewal.at} timeZone={timeZone} />,
            })}
          </p>
        )}
      </div>
      <form action={page.submitUrl} className="mt-4" method="post">
        <input name="plan" type="hidden" value={values.planId} />
        <input name="quantity" type="hidden" value={values.quantity} />
        <input name="terms" type="hidden" value={terms} />
        <input name="key" type="hidden" value={formKey} />
        <button className={primaryButton} type="submit">
          {direction === 'decrease'
            ? t('portal.change.schedule')
            : dueNow
              ? t('portal.change.pay', { total: money(dueNow.total, locale) })
              : t('portal.change.now')}
        </button>
      </form>
    </section>
  )
}

function Quote({ page: { locale, country }, quote }: { page: PortalChangePage; quote: PortalQuote }) {
  const t = useTranslations()
  const taxes = quote.taxes.map((tax) => ({
    label: taxLabel(
      { country, reverseCharge: tax.name === 'Reverse charge', taxBehavior: 'exclusive' },
      tax,
      locale,
      t,
    ),
    amount: money(tax.amount, locale),
  }))
  const rows = [
    ...quote.lines.map(({ description, subtotal }) => ({ label: description, amount: money(subtotal, locale) })),
    { label: t('checkout.summary.subtotal'), amount: money(quote.subtotal, locale) },
    ...taxes,
  ]
  return (
    <dl className="grid gap-1 border-line border-y py-2">
      {rows.map(({ label, amount }) => (
        <div className="flex items-baseline justify-between gap-4 text-note" key={label}>
          <dt className="wrap-anywhere min-w-0">{label}</dt>
          <dd className="whitespace-nowrap tabular-nums">{amount}</dd>
        </div>
      ))}
      <div className="flex items-baseline justify-between gap-4 font-semibold">
        <dt>{t('portal.change.chargedNow')}</dt>
        <dd className="whitespace-nowrap tabular-nums">{money(quote.total, locale)}</dd>
      </div>
    </dl>
  )
}
