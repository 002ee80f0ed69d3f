import { useTranslations } from 'next-intl'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { Field, SelectField } from '@/components/ui/field.tsx'
import { FieldFold } from '@/components/ui/field-fold.tsx'
import { LiveAddressFold, LivePostalCode, LiveTaxIdHint } from '@/components/ui/live.tsx'
import type { LiveText } from '@/components/ui/live-text.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { BuyerField, BuyerForm } from '@/lib/modules/checkouts/page.ts'
import { namedCountries } from './countries.ts'

interface BuyerFieldsProps {
  /** Asks for the email address if the form has one. */
  form: Omit<BuyerForm, 'email' | 'currency' | 'paymentMethod'> & { email?: string }
  /** The sentence for each refused field. */
  errors: Partial<Record<BuyerField, string>>
  locale: Locale
  text: LiveText
  /** Nothing is ever charged, so there is no invoice: company and address show only if they are filled in. */
  isFree?: boolean
}

/**
 * The buyer's fields, inside a page with text that follows the form: email first, then the country, because the tax
 * depends on it, then the name. Company and address are folded until the buyer opens them, or something asks for them.
 */
export function BuyerFields({ form, errors, locale, text, isFree = false }: BuyerFieldsProps) {
  const t = useTranslations('checkout')
  const filled = filledWith(form, errors)
  const isInUse = (fields: readonly (keyof typeof form)[]) => fields.some((name) => form[name] || errors[name])
  const isCompany = isInUse(['companyName', 'taxId'])
  const hasAddress = isInUse(addressFields)
  return (
    <section className="grid gap-3">
      <h2 className="sr-only">{t('details.heading')}</h2>
      {form.email !== undefined && (
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
      )}
      <div className="grid items-start gap-3 wide:grid-cols-2">
        <SelectField {...filled('country')} autoComplete="billing country" label={t('details.country')} required>
          {form.country === '' && <option value="">{t('details.countryPlaceholder')}</option>}
          {namedCountries(locale).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <Field {...filled('fullName')} autoComplete="billing name" label={t('details.fullName')} required />
      </div>
      <div>
        {(!isFree || isCompany) && (
          <FieldFold heading={t('company.heading')} isOpen={isCompany}>
            <CompanyFields filled={filled} taxIdHint={<LiveTaxIdHint text={text} />} />
          </FieldFold>
        )}
        {/* Below the tax ID, which may unfold it: what a person types in stays where it is. */}
        {(!isFree || hasAddress) && (
          <LiveAddressFold heading={t('address.add')} isOpen={hasAddress} text={text}>
            <AddressFields
              filled={filled}
              heading="hidden"
              hint={<span data-text="addressHint">{text.addressHint}</span>}
              PostalCode={(around) => <LivePostalCode {...around} text={text} />}
            />
          </LiveAddressFold>
        )}
      </div>
    </section>
  )
}

const addressFields = ['streetAndNumber', 'streetAdditional', 'postalCode', 'city', 'region'] as const

type Filled = (
  name: keyof BuyerFieldsProps['form'],
) => Record<'name', string> & Pick<ComponentProps<typeof Field>, 'defaultValue' | 'error'>

/** The props of each field of a form: its name, its value, and its error. */
export const filledWith =
  (form: BuyerFieldsProps['form'], errors: BuyerFieldsProps['errors']): Filled =>
  (name) => ({ name, defaultValue: form[name], error: errors[name] })

interface AddressFieldsProps {
  filled: Filled
  hint: ReactNode
  /** Hidden from the eye where a heading above says the same. */
  heading?: 'shown' | 'hidden'
  /** Around the field of the postal code: whether it shows. */
  PostalCode: ComponentType<PostalCodeProps>
}

export type PostalCodeProps = Omit<ComponentProps<typeof LivePostalCode>, 'text'>

export function AddressFields({ filled, hint, heading = 'shown', PostalCode }: AddressFieldsProps) {
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
      <div className="flex items-start gap-3">
        <PostalCode className="min-w-0 grow-2 basis-0" isFilled={Boolean(filled('postalCode').defaultValue)}>
          <Field
            {...filled('postalCode')}
            autoCapitalize="characters"
            autoComplete="billing postal-code"
            label={t('address.postalCode')}
          />
        </PostalCode>
        <div className="min-w-0 grow-3 basis-0">
          <Field {...filled('city')} autoComplete="billing address-level2" label={t('address.city')} />
        </div>
      </div>
      <Field {...filled('region')} autoComplete="billing address-level1" label={t('address.region')} />
    </fieldset>
  )
}

export function CompanyFields({
  filled,
  taxIdHint,
  needsTaxId = false,
}: {
  filled: Filled
  taxIdHint: ReactNode
  needsTaxId?: boolean
}) {
  const t = useTranslations('checkout.company')
  return (
    <>
      <Field {...filled('companyName')} autoComplete="billing organization" label={t('companyName')} />
      <Field
        {...filled('taxId')}
        autoCapitalize="characters"
        autoComplete="off"
        hint={taxIdHint}
        label={t('taxId')}
        required={needsTaxId}
        spellCheck={false}
      />
    </>
  )
}
