import { useTranslations } from 'next-intl'
import { AddressFields, CompanyFields, filledWith, type PostalCodeProps } from '@/components/checkout/buyer-fields.tsx'
import { addressHint, type Words } from '@/components/checkout/details-text.ts'
import { countryName, day, money } from '@/components/format.ts'
import { primaryButton } from '@/components/ui/button.ts'
import { Field, FieldError } from '@/components/ui/field.tsx'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import { FormPage } from '@/components/ui/form-page.tsx'
import { SellerFooter } from '@/components/ui/seller-footer.tsx'
import { ShopName } from '@/components/ui/shop-name.tsx'
import { hasPostalCodes } from '@/lib/kernel/postal-codes.ts'
import type { InvoiceUpdatePage } from '@/lib/modules/invoice-updates/page.ts'
import { refusedDetails } from './problem-text.ts'

type OpenPage = Extract<InvoiceUpdatePage, { state: 'open' }>

export function OpenInvoiceUpdate({ page }: { page: OpenPage }) {
  const t = useTranslations()
  const { locale, form, needsTaxId, storefrontName: shop } = page
  const refused = refusedDetails(page, t)
  const errors = Object.fromEntries(refused.map(({ field, text }) => [field, text]))
  const filled = filledWith(form, errors)
  return (
    <FormPage about={<InvoiceSummary page={page} />} refused={refused}>
      <form action={page.submitUrl} className="grid grid-cols-1 gap-9" method="post" noValidate>
        <FormLanguage locale={locale} />
        <input name="version" type="hidden" value={page.version} />
        <section className="grid gap-4">
          <h2 className="font-semibold text-lead">{t('checkout.details.heading')}</h2>
          <Field {...filled('fullName')} autoComplete="billing name" label={t('checkout.details.fullName')} required />
        </section>
        <div className="grid gap-4">
          <AddressFields
            filled={filled}
            hint={addressHint(page.companyDetails, t, page.document)}
            aroundPostalCode={hasPostalCodes(form.country) ? shownPostalCode : postalCodeIfFilled}
          />
          <Country code={form.country} error={errors.country} locale={locale} />
        </div>
        <fieldset aria-describedby="company-hint" className="grid gap-4">
          <legend className="font-semibold text-lead">{t('invoiceUpdate.company.heading')}</legend>
          <p className="-mt-1 text-note text-soft" id="company-hint">
            {t('invoiceUpdate.company.hint')}
          </p>
          <CompanyFields filled={filled} needsTaxId={needsTaxId} taxIdHint={taxIdHint(page, t)} />
        </fieldset>
        <div className="grid gap-6 border-line border-t pt-6">
          <LaterOrders isTicked={form.useForLaterOrders !== ''} shop={shop} />
          <button className={primaryButton} type="submit">
            {t('invoiceUpdate.save')}
          </button>
        </div>
      </form>
      <SellerFooter
        locale={locale}
        privacyUrl={page.privacyUrl}
        seller={page.seller}
        shop={shop}
        termsUrl={page.termsUrl}
      />
    </FormPage>
  )
}

function taxIdHint({ taxIdPrefix, needsTaxId, correctableTax, locale }: OpenPage, t: Words): string {
  const code = taxIdPrefix ?? 'none'
  if (correctableTax) return t('invoiceUpdate.taxId.correctable', { code, amount: money(correctableTax, locale) })
  return t(`invoiceUpdate.taxId.${needsTaxId ? 'needed' : 'hint'}`, { code })
}

/** The link opens the invoice in a new tab, so that the form keeps its input. */
function InvoiceSummary({ page }: { page: OpenPage }) {
  const t = useTranslations()
  const { locale, document, number } = page
  const labels = document === 'invoice' ? 'invoice' : 'invoice.creditNote'
  return (
    <>
      <p>
        <ShopName name={page.storefrontName} />
      </p>
      <h1 className="mt-6 font-semibold text-title tracking-tight wide:mt-10">
        {t(`invoiceUpdate.${document}.heading`)}
      </h1>
      <p className="mt-1">{t(`${labels}.title`, { number })}</p>
      <dl className="mt-4 grid gap-3 wide:mt-8">
        <div>
          <dt className="text-soft">{t(`${labels}.total`)}</dt>
          <dd className="font-semibold text-title tracking-tight wide:text-total">{money(page.total, locale)}</dd>
        </div>
        <div>
          <dt className="text-note text-soft">{t(`${labels}.issuedAt`)}</dt>
          <dd>{day(page.issuedAt, locale)}</dd>
        </div>
      </dl>
      <p className="mt-4">
        <a href={page.invoiceUrl} rel="noopener" target="_blank">
          {t(`invoiceUpdate.${document}.show`)}
        </a>
      </p>
      <p className="mt-2 text-note text-soft">
        {t(page.correctableTax ? 'invoiceUpdate.unchangedWithoutTaxId' : 'invoiceUpdate.unchanged')}
      </p>
    </>
  )
}

const shownPostalCode = ({ className, children }: PostalCodeProps) => <div className={className}>{children}</div>

const postalCodeIfFilled = ({ className, isFilled, children }: PostalCodeProps) => (
  <div className={className} hidden={!isFilled}>
    {children}
  </div>
)

/** The country that decided the tax. The form shows and sends the country, but the buyer cannot change it. */
function Country({ code, error, locale }: { code: string; error: string | undefined; locale: OpenPage['locale'] }) {
  const t = useTranslations()
  return (
    <div id="country" tabIndex={-1}>
      <input name="country" type="hidden" value={code} />
      <p className="font-medium text-note">{t('checkout.details.country')}</p>
      <p className="mt-1">{code && countryName(code, locale)}</p>
      {error ? (
        <FieldError id="country-error">{error}</FieldError>
      ) : (
        <p className="mt-1 text-note text-soft">{t('invoiceUpdate.countryFixed')}</p>
      )}
    </div>
  )
}

function LaterOrders({ isTicked, shop }: { isTicked: boolean; shop: string }) {
  const t = useTranslations('invoiceUpdate.later')
  return (
    <div>
      <label className="flex min-h-11 cursor-pointer items-center gap-3 font-medium">
        <input
          aria-describedby="useForLaterOrders-hint"
          className="size-4.5 shrink-0 accent-accent"
          defaultChecked={isTicked}
          name="useForLaterOrders"
          type="checkbox"
          value="true"
        />
        {t('label')}
      </label>
      <p className="ps-7.5 text-note text-soft" id="useForLaterOrders-hint">
        {t('hint', { shop })}
      </p>
    </div>
  )
}
