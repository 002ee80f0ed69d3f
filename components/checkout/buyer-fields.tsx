import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import { Field, SelectField } from '@/components/ui/field.tsx'
import { FieldFold } from '@/components/ui/field-fold.tsx'
import { LiveAddressFold, LiveCompanyFold, LivePostalCode, LiveTaxIdHint } from '@/components/ui/live.tsx'
import type { LiveText } from '@/components/ui/live-text.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { BuyerField, BuyerForm } from '@/lib/modules/checkouts/page.ts'
import { countryOptions } from './countries.ts'

interface BuyerFieldsProps {
  /** The form has an email field if `email` is set. */
  form: Omit<BuyerForm, 'email' | 'currency' | 'paymentMethod'> & { email?: string }
  errors: Partial<Record<BuyerField, string>>
  locale: Locale
  text: LiveText
  /**
   * Set for a free order. A free order has no invoice, so country and name are collapsed, and company and address
   * appear only if filled in. A free `subscription`, unlike a free `purchase`, needs a country. Its country field is
   * therefore not collapsed while the country is unknown.
   */
  free?: 'purchase' | 'subscription' | undefined
}

/**
 * The fields of the buyer. The country comes early because the tax depends on it. Company and address are collapsed
 * until the buyer opens them or the order requires them.
 */
export function BuyerFields({ form, errors, locale, text, free }: BuyerFieldsProps) {
  const t = useTranslations('checkout')
  const filled = filledWith(form, errors)
  const isInUse = (fields: readonly (keyof typeof form)[]) => fields.some((name) => form[name] || errors[name])
  const isCompany = isInUse(['companyName', 'taxId'])
  /**
   * The country at page load decides the position of the tax ID field, so that the field does not move when the country
   * changes.
   */
  const seesTaxId = text.asksForTaxId
  const showsTaxId = seesTaxId && (!free || isCompany)
  /**
   * In Canada, the postal code determines the province and thus the tax. The field for the postal code is therefore not
   * collapsed.
   */
  const seesPostalCode = text.asksForProvince && !free && form.email !== undefined
  const showsAll = seesPostalCode || (showsTaxId && !free && form.email !== undefined)
  const taxIdHint = <LiveTaxIdHint text={text} />
  const aroundPostalCode = (props: PostalCodeProps) => <LivePostalCode {...props} text={text} />
  const folded = addressFields.filter((name) => !(seesPostalCode && name === 'postalCode'))
  const hasAddress = isInUse(seesTaxId ? ['companyName', ...folded] : folded)
  return (
    <section className="grid gap-3">
      <h2 className="sr-only">{t('details.heading')}</h2>
      <div className={`grid items-start gap-3 ${showsAll ? inTwoColumns : 'wide:grid-cols-2'}`}>
        {form.email !== undefined && (
          <div className={showsAll ? '' : 'wide:col-span-2'}>
            <Field
              {...filled('email')}
              autoCapitalize="none"
              autoComplete="email"
              inputMode="email"
              label={t('details.email')}
              required
              spellCheck={false}
              type="email"
            />
          </div>
        )}
        {!free && <CountryAndName country={form.country} filled={filled} locale={locale} required="both" />}
        {showsTaxId && <TaxIdField filled={filled} hint={taxIdHint} />}
        {seesPostalCode && <PostalCodeField around={aroundPostalCode} filled={filled} />}
      </div>
      {free && (
        <FreeBuyerFold
          country={form.country}
          filled={filled}
          isOpen={isInUse(['fullName']) || errors.country !== undefined}
          locale={locale}
          needsCountry={free === 'subscription' && form.country === ''}
        />
      )}
      <div>
        {!seesTaxId && (!free || isCompany) && (
          <LiveCompanyFold heading={t('company.heading')} isOpen={isCompany} text={text}>
            <CompanyFields filled={filled} taxIdHint={taxIdHint} />
          </LiveCompanyFold>
        )}
        {/* The fold is below the tax ID, because a tax ID can open the fold and must not move the focused field. */}
        {(!free || hasAddress) && (
          <LiveAddressFold
            heading={t(seesTaxId ? 'address.addWithCompany' : 'address.add')}
            hasPostalCode={!seesPostalCode}
            isOpen={hasAddress}
            text={text}
          >
            {seesTaxId && <CompanyNameField filled={filled} />}
            <AddressFields
              filled={filled}
              heading="hidden"
              hint={<span data-text="addressHint">{text.addressHint}</span>}
              aroundPostalCode={seesPostalCode ? null : aroundPostalCode}
            />
          </LiveAddressFold>
        )}
      </div>
    </section>
  )
}

/** On a wide screen, four fields are in two columns. The Tab key goes down the first column and then the second. */
const inTwoColumns = 'wide:grid-flow-col wide:grid-cols-2 wide:grid-rows-[auto_auto]'

interface CountryAndNameProps {
  country: string
  filled: Filled
  locale: Locale
  required: 'both' | 'country' | 'none'
}

function CountryAndName({ country, filled, locale, required }: CountryAndNameProps) {
  const t = useTranslations('checkout.details')
  return (
    <>
      <SelectField
        {...filled('country')}
        autoComplete="billing country"
        label={t('country')}
        required={required !== 'none'}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: `countryOptions` escapes it and explains why it is HTML
        dangerouslySetInnerHTML={{
          __html: countryOptions(locale, { chosen: country, placeholder: t('countryPlaceholder') }),
        }}
      />
      <Field {...filled('fullName')} autoComplete="billing name" label={t('fullName')} required={required === 'both'} />
    </>
  )
}

const addressFields = ['streetAndNumber', 'streetAdditional', 'postalCode', 'city', 'region'] as const

interface FreeBuyerFoldProps extends Omit<CountryAndNameProps, 'required'> {
  isOpen: boolean
  needsCountry: boolean
}

function FreeBuyerFold({ isOpen, needsCountry, ...fields }: FreeBuyerFoldProps) {
  const t = useTranslations('checkout.details')
  return (
    <FieldFold heading={t('add')} isOpen={isOpen || needsCountry}>
      <div className="grid items-start gap-3 wide:grid-cols-2">
        <CountryAndName {...fields} required={needsCountry ? 'country' : 'none'} />
      </div>
    </FieldFold>
  )
}

type Filled = (
  name: keyof BuyerFieldsProps['form'],
) => Record<'name', string> & Pick<ComponentProps<typeof Field>, 'defaultValue' | 'error'>

export const filledWith =
  (form: BuyerFieldsProps['form'], errors: BuyerFieldsProps['errors']): Filled =>
  (name) => ({ name, defaultValue: form[name], error: errors[name] })

interface AddressFieldsProps {
  filled: Filled
  hint: ReactNode
  /** With `hidden`, only screen readers read the heading, because a heading above has the same text. */
  heading?: 'shown' | 'hidden'
  aroundPostalCode: ((props: PostalCodeProps) => ReactNode) | null
}

export type PostalCodeProps = Omit<ComponentProps<typeof LivePostalCode>, 'text'>

export function AddressFields({ filled, hint, heading = 'shown', aroundPostalCode }: AddressFieldsProps) {
  const t = useTranslations('checkout')
  return (
    <fieldset className="grid gap-3" aria-describedby="address-hint">
      <legend className={heading === 'shown' ? 'font-semibold text-lead' : 'sr-only'}>{t('address.heading')}</legend>
      <p className="text-note text-soft" id="address-hint">
        {hint}
      </p>
      <Field {...filled('streetAndNumber')} autoComplete="billing address-line1" label={t('address.streetAndNumber')} />
      <Field
        {...filled('streetAdditional')}
        autoComplete="billing address-line2"
        label={t('address.streetAdditional')}
      />
      <div
        className={`flex items-start gap-3 ${filled('postalCode').error ? 'max-hand:flex-col max-hand:items-stretch' : ''}`}
      >
        {aroundPostalCode && <PostalCodeField around={aroundPostalCode} filled={filled} />}
        <div className="min-w-0 grow-3 basis-0">
          <Field {...filled('city')} autoComplete="billing address-level2" label={t('address.city')} />
        </div>
      </div>
      <Field {...filled('region')} autoComplete="billing address-level1" label={t('address.region')} />
    </fieldset>
  )
}

interface PostalCodeFieldProps {
  filled: Filled
  around: (props: PostalCodeProps) => ReactNode
}

function PostalCodeField({ filled, around }: PostalCodeFieldProps) {
  const t = useTranslations('checkout.address')
  const field = (
    <Field
      {...filled('postalCode')}
      autoCapitalize="characters"
      autoComplete="billing postal-code"
      label={t('postalCode')}
    />
  )
  const isFilled = Boolean(filled('postalCode').defaultValue)
  return around({ className: 'min-w-0 grow-2 basis-0', isFilled, children: field })
}

export function CompanyFields({ taxIdHint, ...of }: TaxIdFieldProps & { taxIdHint: ReactNode }) {
  return (
    <>
      <CompanyNameField filled={of.filled} />
      <TaxIdField {...of} hint={taxIdHint} />
    </>
  )
}

function CompanyNameField({ filled }: { filled: Filled }) {
  const t = useTranslations('checkout.company')
  return <Field {...filled('companyName')} autoComplete="billing organization" label={t('companyName')} />
}

interface TaxIdFieldProps {
  filled: Filled
  needsTaxId?: boolean
}

function TaxIdField({ filled, hint, needsTaxId = false }: TaxIdFieldProps & { hint: ReactNode }) {
  const t = useTranslations('checkout.company')
  return (
    <Field
      {...filled('taxId')}
      autoCapitalize="characters"
      autoComplete="off"
      hint={hint}
      label={t('taxId')}
      required={needsTaxId}
      spellCheck={false}
    />
  )
}
