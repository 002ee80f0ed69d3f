import { useTranslations } from 'next-intl'
import { BuyerFields } from '@/components/checkout/buyer-fields.tsx'
import { DebitConsent } from '@/components/checkout/debit-consent.tsx'
import { ReplacementMethods } from '@/components/checkout/payment-methods.tsx'
import { PaymentNotice } from '@/components/checkout/payment-notice.tsx'
import { refusedFields } from '@/components/checkout/problem-text.ts'
import { money } from '@/components/format.ts'
import { primaryButton, quietButton } from '@/components/ui/button.ts'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import { FormPage } from '@/components/ui/form-page.tsx'
import { LiveForm } from '@/components/ui/live-form.tsx'
import { Notice } from '@/components/ui/notice.tsx'
import { SellerFooter } from '@/components/ui/seller-footer.tsx'
import { ShopName } from '@/components/ui/shop-name.tsx'
import type { BillingUpdatePage } from '@/lib/modules/billing-updates/page.ts'
import type { PaymentMethod } from '@/lib/modules/payments/page.ts'
import { type BillingUpdateText, billingUpdateText } from './billing-update-text.ts'
import { NextChargeFigure, NextChargeSentence, ToPayFigure, WaitingSentence } from './live-billing-update.tsx'

type OpenPage = Extract<BillingUpdatePage, { state: 'open' }>

const mandateMarks: Readonly<Record<NonNullable<OpenPage['mandate']>['method'], PaymentMethod | null>> = {
  card: 'creditcard',
  sepa_debit: 'directdebit',
  paypal: 'paypal',
  bacs_debit: null,
}

/**
 * Shows the next charge next to the form, or above the form on a phone. With JavaScript, the charge and the tax ID hint
 * follow the input. All other parts work without JavaScript.
 */
export function OpenBillingUpdate({ page }: { page: OpenPage }) {
  const t = useTranslations()
  const { locale, form, mandate, seller, storefrontName: shop } = page
  const text = billingUpdateText(page.quote, locale, t)
  const refused = refusedFields(page.problems, form.country, t)
  const errors = Object.fromEntries(refused.map(({ field, text }) => [field, text]))
  return (
    <FormPage about={<SubscriptionSummary page={page} text={text} />} refused={refused}>
      {page.isSaved && (
        <div className="mb-8">
          <p className="rounded-box border border-line bg-tint p-4 font-semibold" role="status">
            {t('billingUpdate.saved')}
          </p>
        </div>
      )}
      {page.notice && (
        <div className="mb-8">
          <PaymentNotice notice={page.notice} takesFocus={refused.length === 0} />
        </div>
      )}
      {page.due && (
        <div className="mb-8">
          <Notice
            id="due"
            takesFocus={false}
            title={t('billingUpdate.due.title', { total: money(page.due.total, locale) })}
            tone="wrong"
          >
            <p>{t('emails.reason', { reason: t(`failureReasons.${page.due.reason}.name`) })}</p>
            <p>{t('billingUpdate.due.newMethod', { total: money(page.due.total, locale) })}</p>
          </Notice>
        </div>
      )}
      <LiveForm
        action={page.submitUrl}
        asked={{
          country: form.country,
          taxId: form.taxId,
          timeZone: page.quote.timeZone ?? 'UTC',
          // The postal code affects the tax, because parts of some countries have their own tax rates. Test mode ignores the postal code.
          ...(!page.testmode && { postalCode: form.postalCode }),
        }}
        className="grid grid-cols-1 gap-9"
        locale={locale}
        quoteUrl={page.quoteUrl}
        text={text}
      >
        <input name="version" type="hidden" value={page.version} />
        <BuyerFields errors={errors} form={form} locale={locale} text={text} />
        <ReplacementMethods
          chosen={form.paymentMethod}
          error={errors.paymentMethod}
          keep={
            mandate && {
              name: t(`billingUpdate.keep.${mandate.method}`, { masked: mandate.maskedIdentifier }),
              method: mandateMarks[mandate.method],
            }
          }
          methods={page.methods}
          required={page.needsMethod}
          recurring
          testmode={page.testmode}
        />
        <div className="grid gap-4 border-line border-t pt-6">
          <WhatIsCharged page={page} text={text} />
          {page.quote.nextCharge && page.needsMethod && (
            <p className="text-note text-soft">{t('checkout.consent.recurring', { seller: seller.name })}</p>
          )}
          <DebitConsent className="-mt-2 text-note text-soft" creditorId={page.sepaCreditorId} seller={seller.name} />
          <button
            className={primaryButton}
            data-sending={t('checkout.confirm.paying')}
            data-text="confirm"
            type="submit"
          >
            {text.confirm}
          </button>
        </div>
      </LiveForm>
      {page.canCancel && (
        <form action={page.submitUrl} className="mt-2 text-center" method="post">
          <FormLanguage locale={locale} />
          <button className={quietButton} formNoValidate name="intent" type="submit" value="cancel">
            {t('checkout.confirm.cancel', { shop })}
          </button>
        </form>
      )}
      <SellerFooter locale={locale} privacyUrl={page.privacyUrl} seller={seller} shop={shop} termsUrl={page.termsUrl} />
    </FormPage>
  )
}

interface TextedPage {
  page: OpenPage
  text: BillingUpdateText
}

function SubscriptionSummary({ page, text }: TextedPage) {
  const t = useTranslations('billingUpdate')
  const { due } = page
  return (
    <>
      <p>
        <ShopName name={page.storefrontName} />
      </p>
      <h1 className="mt-6 font-semibold text-title tracking-tight wide:mt-10">{t('heading')}</h1>
      <p className="mt-1">{t('subscription', { name: page.subscriptionName })}</p>
      {due ? <ToPayFigure label={t('summary.due')} text={text} /> : <NextChargeFigure text={text} />}
    </>
  )
}

/** Says what the buyer is charged after pressing the button, now or later, for every payment method. */
function WhatIsCharged({ page, text }: TextedPage) {
  const t = useTranslations('billingUpdate')
  const { locale, due, mandate } = page
  return (
    <>
      {due && mandate && (
        <p>
          {t('due.newMethod', { total: money(due.total, locale) })} {t('due.sameMethod')}
        </p>
      )}
      <WaitingSentence text={text} />
      <NextChargeSentence text={text} />
    </>
  )
}
