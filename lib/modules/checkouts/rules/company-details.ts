import { isCountry } from '../../../kernel/countries.ts'
import { hasPostalCodes } from '../../../kernel/postal-codes.ts'
import { canonicalTaxId, isInEuVatArea, type TaxIdEffect, taxFor } from '../../tax/rules/index.ts'
import { type BuyerField, type CompanyDetails, companyDetailFields, type DetailsQuote } from '../page.ts'
import { type BuyerChoice, taxIdEffectOf } from './quote.ts'

/** The texts and questions of a form about a buyer's details. Without a country, a tax ID has no effect. */
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

/** The holder of a tax ID that the registry confirmed. */
const registeredNameOf = ({ taxId, facts }: BuyerChoice, effect: TaxIdEffect): string | null =>
  effect === 'reverse_charge' && taxId ? (facts?.registeredNames[canonicalTaxId(taxId)] ?? null) : null

/** Whether the buyer's company and address are optional, asked for, or required. */
export function companyDetailsFor(taxId: TaxIdEffect, { testmode }: { testmode: boolean }): CompanyDetails {
  if (taxId !== 'reverse_charge') return 'optional'
  return testmode ? 'asked' : 'required'
}

/** The form fields that are mandatory in a country for these company details. */
export const fieldsRequiredBy = (details: CompanyDetails, country: string): readonly BuyerField[] =>
  details === 'required' ? companyDetailFields.filter((field) => field !== 'postalCode' || hasPostalCodes(country)) : []
