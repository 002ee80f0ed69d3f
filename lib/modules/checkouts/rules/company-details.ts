import { isCountry } from '../../../kernel/countries.ts'
import { hasPostalCodes } from '../../../kernel/postal-codes.ts'
import { canonicalTaxId, isInEuVatArea, type TaxIdEffect, taxFor } from '../../tax/rules/index.ts'
import { type BuyerField, type CompanyDetails, companyDetailFields, type DetailsQuote } from '../page.ts'
import { type BuyerChoice, taxIdEffectOf } from './quote.ts'

export function detailsQuote(mode: { testmode: boolean }, choice: BuyerChoice): DetailsQuote {
  const { country } = choice
  const taxId = isCountry(country) ? taxIdEffectOf(mode, choice) : 'none'
  const companyDetails = companyDetailsFor(taxId, mode)
  return {
    taxId,
    taxIdExample: taxFor(mode).taxIdExample(choice.taxId, country),
    registeredName: registeredNameOf(choice, taxId),
    companyDetails,
    asksForTaxId: isInEuVatArea(country),
    asksForAddress: companyDetails !== 'optional',
    asksForProvince: country === 'CA',
    asksForPostalCode: hasPostalCodes(country),
  }
}

const registeredNameOf = ({ taxId, facts }: BuyerChoice, effect: TaxIdEffect): string | null =>
  effect === 'reverse_charge' && taxId ? (facts?.registeredNames[canonicalTaxId(taxId)] ?? null) : null

export function companyDetailsFor(taxId: TaxIdEffect, { testmode }: { testmode: boolean }): CompanyDetails {
  if (taxId !== 'reverse_charge') return 'optional'
  return testmode ? 'asked' : 'required'
}

export const fieldsRequiredBy = (details: CompanyDetails, country: string): readonly BuyerField[] =>
  details === 'required' ? companyDetailFields.filter((field) => field !== 'postalCode' || hasPostalCodes(country)) : []
