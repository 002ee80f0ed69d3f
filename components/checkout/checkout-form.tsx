import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { countryName, money } from '@/components/format.ts'
import { linkButton, primaryButton, quietButton } from '@/components/ui/button.ts'
import { SelectField } from '@/components/ui/field.tsx'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import { FormPage } from '@/components/ui/form-page.tsx'
import { LiveForm } from '@/components/ui/live-form.tsx'
import { Notice } from '@/components/ui/notice.tsx'
import type { HostedPage, OpenState } from '@/lib/modules/checkouts/page.ts'
import { About } from './about.tsx'
import { BuyerFields } from './buyer-fields.tsx'
import { DebitConsent } from './debit-consent.tsx'
import {
  ConfirmButton,
  CurrencyChoice,
  IfMethodIsAskedFor,
  OrderedLines,
  Renewal,
  Total,
  TotalLabel,
  WithdrawalConsent,
  WithdrawalInformation,
} from './live-quote.tsx'
import { OrderSummary } from './order-summary.tsx'
import { OfferedMethods } from './payment-methods.tsx'
import { PaymentNotice } from './payment-notice.tsx'
import { refusedFields } from './problem-text.ts'
import { isZero, quoteText } from './quote-text.ts'
import { WithdrawalForm } from './withdrawal-form.tsx'

type OpenPage = HostedPage & OpenState

interface Props {
  page: OpenPage
  /** Fields that the page of a payment link shows at the beginning of the form. */
  ownFields?: ReactNode
  /** The names and initial values of the fields in `ownFields` that change the amounts. */
  alsoAsked?: Readonly<Record<string, string>>
  isCancelable?: boolean
}

export function CheckoutForm({ page, ownFields, alsoAsked, isCancelable = true }: Props) {
  const t = useTranslations()
  const { locale, quote, form, seller, storefrontName: shop } = page
  const refused = refusedFields(page.problems, form.country, t)
  const errors = Object.fromEntries(refused.map(({ field, text }) => [field, text]))
  const text = quoteText(quote, locale, t)
  const recurring = quote.renewals.length > 0
  const free = quote.asksForMethod ? undefined : recurring ? 'subscription' : 'purchase'
  const asked = {
    country: quote.country ?? '',
    taxId: form.taxId,
    currency: quote.currency,
    timeZone: quote.timeZone ?? 'UTC',
    // The postal code affects the tax, because parts of some countries have their own tax rates. Test mode ignores the postal code.
    ...(!page.testmode && { postalCode: form.postalCode }),
    ...alsoAsked,
  }
  return (
    <FormPage about={<OrderSummary shop={shop} text={text} />} refused={refused}>
      {page.notice && (
        <div className="mb-5">
          <ReturnNotice page={page} notice={page.notice} takesFocus={refused.length === 0} />
        </div>
      )}
      <LiveForm
        action={page.submitUrl}
        asked={asked}
        className="grid grid-cols-1 gap-5 wide:gap-2"
        locale={locale}
        quoteUrl={page.quoteUrl}
        text={text}
      >
        {ownFields}
        {/* If the payment page cannot show all prices, the form sends the prices that the buyer saw. The prices of a payment link can change while the page
          of the link is open. For a trial, the payment page shows only the amount due today. */}
        {(ownFields || (quote.asksForMethod && quote.renewals.some(({ trialUntil }) => trialUntil))) && (
          <input name="seenPrices" type="hidden" value={text.seenPrices} />
        )}
        <CountryQuestion page={page} />
        <BuyerFields errors={errors} form={form} free={free} locale={locale} text={text} />
        <div className="grid gap-3">
          <IfMethodIsAskedFor text={text}>
            <OfferedMethods
              chosen={form.paymentMethod}
              error={errors.paymentMethod}
              offered={quote.methods}
              proposed={quote.proposedMethod}
              recurring={recurring}
              required
              testmode={page.testmode}
            />
          </IfMethodIsAskedFor>
          <CurrencyChoice text={text}>
            <SelectField
              data-options="currencies"
              defaultValue={quote.currency}
              error={errors.currency}
              hint={recurring ? t('checkout.payment.currencyHint') : t('checkout.payment.currencyHintOnce')}
              label={t('checkout.payment.currency')}
              name="currency"
              oneRow
            >
              {text.currencies.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </SelectField>
          </CurrencyChoice>
        </div>
        {/* Directive 2011/83/EU, art. 8(2) requires the total and the renewals directly above the button. */}
        <div className="grid gap-3 border-line border-t pt-3 wide:gap-2">
          <OrderedLines className="wide:hidden" text={text} />
          <p className="flex items-baseline justify-between gap-4 font-semibold">
            <TotalLabel text={text} />
            <span className="whitespace-nowrap text-lead">
              <Total text={text} />
            </span>
          </p>
          <Renewal className="-mt-2 text-note" text={text} />
          <WithdrawalConsent isGiven={page.beginsAtOnce} text={text} />
          <ConfirmButton className={primaryButton} payingText={t('checkout.confirm.paying')} text={text} />
          {recurring && (
            <IfMethodIsAskedFor text={text}>
              <div className="grid gap-2 text-note text-soft">
                <p>{t('checkout.consent.recurring', { seller: seller.name })}</p>
                <DebitConsent creditorId={page.sepaCreditorId} seller={seller.name} />
              </div>
            </IfMethodIsAskedFor>
          )}
        </div>
      </LiveForm>
      {isCancelable && <Cancel locale={locale} shop={shop} submitUrl={page.submitUrl} />}
      <About page={page} recurring={recurring}>
        <WithdrawalInformation text={text}>
          <details>
            <summary className={linkButton}>{t('checkout.withdrawal.heading')}</summary>
            <p>{t('checkout.withdrawal.text', { seller: seller.name, open: t('withdrawal.open') })}</p>
            <WithdrawalForm locale={locale} seller={seller} />
          </details>
        </WithdrawalInformation>
      </About>
    </FormPage>
  )
}

/** Shown if evidence, such as the IP address, contradicts the chosen country. The buyer's confirmation is valid for the chosen country only. */
function CountryQuestion({ page: { form, problems, locale } }: { page: OpenPage }) {
  const t = useTranslations('checkout.details')
  const { country: problem } = problems
  if (problem?.code !== 'contradicted') return null
  const names = { country: countryName(form.country, locale), elsewhere: countryName(problem.elsewhere, locale) }
  return (
    <div className="grid gap-2 rounded-box border border-line p-4 text-note">
      <p id="elsewhere">{t('elsewhere', names)}</p>
      <label className="flex items-start gap-2 font-medium">
        <input
          aria-describedby="elsewhere"
          className="mt-0.5 size-5 shrink-0"
          name="confirmCountry"
          type="checkbox"
          value={form.country}
        />
        {t('livesHere', names)}
      </label>
    </div>
  )
}

/** Canceling takes two clicks, because a canceled checkout cannot be reopened. */
function Cancel({ submitUrl, shop, locale }: { submitUrl: string; shop: string; locale: string }) {
  const t = useTranslations('checkout.confirm')
  return (
    <details className="mt-1 text-center">
      <summary className={quietButton}>{t('cancel', { shop })}</summary>
      <form action={submitUrl} className="rounded-box border border-line p-4" method="post">
        <FormLanguage locale={locale} />
        <p className="text-note text-soft">{t('cancelText', { shop })}</p>
        <button className={quietButton} name="intent" type="submit" value="cancel">
          {t('cancelNow')}
        </button>
      </form>
    </details>
  )
}

interface ReturnNoticeProps {
  page: OpenPage
  notice: NonNullable<OpenPage['notice']>
  takesFocus: boolean
}

function ReturnNotice({ page, notice, takesFocus }: ReturnNoticeProps) {
  const t = useTranslations()
  if (notice.kind !== 'total_changed') return <PaymentNotice notice={notice} takesFocus={takesFocus} />
  const { total } = page.quote
  const isOnlyLater = isZero(total.value)
  return (
    <Notice
      takesFocus={takesFocus}
      title={isOnlyLater ? t('checkout.notice.priceChanged') : t('checkout.notice.totalChanged')}
      tone="plain"
    >
      <p>
        {isOnlyLater
          ? t('checkout.notice.priceChangedText')
          : t('checkout.notice.totalChangedText', { total: money(total, page.locale) })}
      </p>
    </Notice>
  )
}
