import type { TaxIdEffect } from '../../tax/rules/index.ts'
import { type BuyerField, type CompanyDetails, companyDetailFields } from '../page.ts'

/** Whether the buyer's company and address are optional, asked for, or required. */
export function companyDetailsFor(taxId: TaxIdEffect, { testmode }: { testmode: boolean }): CompanyDetails {
  if (taxId !== 'reverse_charge') return 'optional'
  return testmode ? 'asked' : 'required'
}

/**
 * Whether a form shows the fields of the buyer's address at once instead of folded: where a reverse charge asks for
 * them, and in Canada, whose provinces have taxes of their own. They stay optional there.
 */
export const asksForAddress = ({ country, companyDetails }: { country: string; companyDetails: CompanyDetails }) =>
  companyDetails !== 'optional' || country === 'CA'

/** The fields of a form that this makes mandatory. */
export const fieldsRequiredBy = (details: CompanyDetails): readonly BuyerField[] =>
  details === 'required' ? companyDetailFields : []
