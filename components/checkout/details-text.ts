import type { useTranslations } from 'next-intl'
import type { LiveText } from '@/components/ui/live-form.tsx'
import { type CompanyDetails, companyDetailFields, type Quote } from '@/lib/modules/checkouts/page.ts'

export type Words = ReturnType<typeof useTranslations<never>>

/** The form's text on the tax ID, and on company and address, wherever these are asked for. */
export function detailsText(
  { taxId, companyDetails, asksForAddress }: Pick<Quote, 'taxId' | 'companyDetails' | 'asksForAddress'>,
  t: Words,
): Pick<LiveText, 'taxId' | 'addressHint' | 'asksForAddress' | 'required'> {
  return {
    taxId: {
      isGood: taxId === 'reverse_charge' || taxId === 'domestic',
      text: {
        none: t('checkout.company.taxIdHint'),
        reverse_charge: t('checkout.company.taxIdReverseCharge'),
        domestic: t('checkout.company.taxIdDomestic'),
        not_confirmed: t('checkout.company.taxIdNotConfirmed'),
      }[taxId],
    },
    addressHint: addressHint(companyDetails, t),
    asksForAddress,
    required: companyDetails === 'required' ? [...companyDetailFields] : [],
  }
}

/** What the address is for, and whether it may be left out. */
export function addressHint(companyDetails: CompanyDetails, t: Words): string {
  return {
    optional: t('checkout.address.hint'),
    asked: t('checkout.address.hintAsked'),
    required: t('checkout.address.hintRequired'),
  }[companyDetails]
}
