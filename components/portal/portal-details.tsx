import { useTranslations } from 'next-intl'
import { AddressFields, CompanyFields, filledWith, type PostalCodeProps } from '@/components/checkout/buyer-fields.tsx'
import { countryOptions } from '@/components/checkout/countries.ts'
import { detailsText } from '@/components/checkout/details-text.ts'
import { refusedFields } from '@/components/checkout/problem-text.ts'
import { primaryButton } from '@/components/ui/button.ts'
import { ErrorSummary } from '@/components/ui/error-summary.tsx'
import { Field, SelectField } from '@/components/ui/field.tsx'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import type { PortalDetailsPage } from '@/lib/modules/portal/page.ts'
import { BackLink } from './back-link.tsx'
import { PortalNotice } from './portal-notice.tsx'

/** The details apply to all active subscriptions and to later invoices. */
export function PortalDetails({ page, notice }: { page: PortalDetailsPage; notice: string | null }) {
  const t = useTranslations()
  const { form, locale, problems } = page
  const text = detailsText(page.quote, t)
  const refused = refusedFields(problems, form.country, t)
  const filled = filledWith(form, Object.fromEntries(refused.map(({ field, text }) => [field, text])))
  return (
    <>
      <PortalNotice notice={notice} />
      <BackLink href="/portal" />
      <h1 className="mt-2 font-semibold text-title tracking-tight">{t('portal.details.heading')}</h1>
      <p className="mt-3 max-w-lg">{t('portal.details.text', { shop: page.storefrontName })}</p>
      {page.differ && <p className="mt-2 max-w-lg text-soft">{t('portal.details.differ')}</p>}
      {refused.length > 0 && (
        <div className="mt-6 max-w-lg">
          <ErrorSummary heading={t('problems.heading', { count: refused.length })} problems={refused} />
        </div>
      )}
      <form action={page.submitUrl} className="mt-6 grid max-w-lg gap-8" method="post" noValidate>
        <FormLanguage locale={locale} />
        <section className="grid gap-3">
          <h2 className="font-semibold text-lead">{t('checkout.details.heading')}</h2>
          <SelectField
            {...filled('country')}
            autoComplete="billing country"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: `countryOptions` escapes it and explains why it is HTML
            dangerouslySetInnerHTML={{
              __html: countryOptions(locale, {
                chosen: form.country,
                placeholder: t('checkout.details.countryPlaceholder'),
              }),
            }}
            hint={t('billingUpdate.tax')}
            label={t('checkout.details.country')}
            required
          />
          <Field {...filled('fullName')} autoComplete="billing name" label={t('checkout.details.fullName')} required />
        </section>
        <AddressFields aroundPostalCode={shown} filled={filled} hint={text.addressHint} />
        <fieldset className="grid gap-3">
          <legend className="mb-3 font-semibold text-lead">{t('checkout.company.heading')}</legend>
          <CompanyFields filled={filled} taxIdHint={text.taxId.text} />
        </fieldset>
        <button className={primaryButton} type="submit">
          {t('billingUpdate.confirm.save')}
        </button>
      </form>
    </>
  )
}

const shown = ({ className, children }: PostalCodeProps) => <div className={className}>{children}</div>
