import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { money } from '@/components/format.ts'
import { primaryButton } from '@/components/ui/button.ts'
import { SelectField } from '@/components/ui/field.tsx'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import { ShopName } from '@/components/ui/shop-name.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { TestPaymentPage } from '@/lib/modules/payments/page.ts'
import { failureReasons } from '@/lib/modules/payments/page.ts'

/** In test mode, this page replaces the page of a payment provider, and the buyer chooses the outcome. */
export function TestPayment({ page }: { page: TestPaymentPage }) {
  const t = useTranslations()
  const amount = money(page.amount, page.locale)
  if (page.state === 'done') {
    return (
      <>
        <TestBand />
        <StatePage
          actions={
            <a className={primaryButton} href={page.returnUrl}>
              {t('payment.continue')}
            </a>
          }
          icon="done"
          shop={page.storefrontName}
          title={t('payment.doneHeading')}
          tone="plain"
        >
          <p>{t('payment.doneText')}</p>
        </StatePage>
      </>
    )
  }
  return (
    <>
      <TestBand />
      <main className="mx-auto max-w-lg px-5 py-3 hand:py-16">
        <p className="mb-4">
          <ShopName name={page.storefrontName} />
        </p>
        <div className="rounded-box bg-paper p-5 shadow-sheet hand:p-10">
          <h1 className="font-semibold text-title tracking-tight">{t('payment.heading')}</h1>
          <p className="mt-1 text-soft">{t(page.isVerification ? 'payment.verificationText' : 'payment.text')}</p>
          <p className="mt-3 font-semibold text-title tracking-tight">{amount}</p>
          <p>{t(`common.methods.${page.method}`)}</p>
          <form action={page.submitUrl} className="mt-3 grid gap-3 hand:gap-4" method="post">
            <FormLanguage locale={page.locale} />
            <Choices legend={t('payment.outcome')}>
              {page.outcomes.map((outcome) => (
                <Choice
                  checked={outcome === 'paid'}
                  key={outcome}
                  label={t(`payment.outcomes.${page.isVerification && outcome === 'paid' ? 'verified' : outcome}`)}
                  name="outcome"
                  value={outcome}
                />
              ))}
            </Choices>
            <SelectField defaultValue="general_failure" label={t('payment.failureReason')} name="failureReason">
              {failureReasons.map((reason) => (
                <option key={reason} value={reason}>
                  {t(`failureReasons.${reason}.name`)}
                </option>
              ))}
            </SelectField>
            {page.withMandate && (
              <Choices legend={t('payment.mandate')}>
                {(['valid', 'pending'] as const).map((mandate) => (
                  <Choice
                    checked={mandate === 'valid'}
                    key={mandate}
                    label={t(`payment.mandates.${mandate}`)}
                    name="mandate"
                    value={mandate}
                  />
                ))}
              </Choices>
            )}
            <button className={primaryButton} type="submit">
              {t('payment.confirm')}
            </button>
          </form>
        </div>
      </main>
    </>
  )
}

function Choices({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-note">{legend}</legend>
      <div className="divide-y divide-line overflow-hidden rounded-box border border-field">{children}</div>
    </fieldset>
  )
}

function Choice({ name, value, label, checked }: { name: string; value: string; label: string; checked: boolean }) {
  return (
    <label className="flex min-h-12 cursor-pointer items-center gap-3 px-4 py-2.5 has-checked:bg-tint">
      <input
        className="size-4.5 shrink-0 accent-accent"
        defaultChecked={checked}
        name={name}
        type="radio"
        value={value}
      />
      {label}
    </label>
  )
}
