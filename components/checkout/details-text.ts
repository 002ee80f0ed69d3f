import type { useTranslations } from 'next-intl'
import type { LiveText } from '@/components/ui/live-text.ts'
import { type CompanyDetails, companyDetailFields, type DetailsQuote } from '@/lib/modules/checkouts/page.ts'

export type Words = ReturnType<typeof useTranslations<never>>

export function detailsText(
  quote: DetailsQuote,
  t: Words,
): Pick<LiveText, 'taxId' | 'addressHint' | 'required' | (`asksFor${string}` & keyof LiveText)> {
  const { taxId, companyDetails, asksForTaxId, asksForAddress, asksForProvince, asksForPostalCode } = quote
  return {
    taxId: { isGood: taxId === 'reverse_charge' || taxId === 'domestic', text: taxIdText(quote, t) },
    addressHint: addressHint(companyDetails, t),
    asksForTaxId,
    asksForAddress,
    asksForProvince,
    asksForPostalCode,
    required: fieldsRequired(quote),
  }
}

/** The text about the effect of the tax ID. If no tax ID is confirmed and the country has an example, the text shows the example. */
function taxIdText({ taxId, taxIdExample, registeredName }: DetailsQuote, t: Words): string {
  const holder = registeredName ? [t('checkout.company.taxIdRegisteredName', { name: registeredName })] : []
  const example = taxIdExample ? [t('checkout.company.taxIdExample', { example: taxIdExample })] : []
  switch (taxId) {
    case 'none':
      return taxIdExample
        ? t('checkout.company.taxIdHintLike', { example: taxIdExample })
        : t('checkout.company.taxIdHint')
    case 'not_confirmed':
      return [t('checkout.company.taxIdNotConfirmed'), ...example].join(' ')
    case 'reverse_charge':
      return [...holder, t('checkout.company.taxIdReverseCharge')].join(' ')
    case 'domestic':
      return t('checkout.company.taxIdDomestic')
  }
}

const fieldsRequired = ({ companyDetails, asksForPostalCode }: DetailsQuote): string[] =>
  companyDetails === 'required'
    ? companyDetailFields.filter((field) => field !== 'postalCode' || asksForPostalCode)
    : []

/** The hint says why the address is needed and whether it is optional. `document` is the document that will show the address. */
export function addressHint(
  companyDetails: CompanyDetails,
  t: Words,
  document: 'invoice' | 'creditNote' = 'invoice',
): string {
  const hints = document === 'invoice' ? 'checkout.address' : 'invoiceUpdate.creditNote.address'
  return {
    optional: t(`${hints}.hint`),
    asked: t(`${hints}.hintAsked`),
    required: t(`${hints}.hintRequired`),
  }[companyDetails]
}
