import { z } from 'zod'
import { isCountry } from '../kernel/countries.ts'
import { canonicalEmail } from '../kernel/email.ts'
import { cleanTaxId } from '../kernel/tax-id.ts'
import { hasWrongCheckDigits } from '../kernel/vat-check-digits.ts'
import { parsed, text } from './config-values.ts'

export const sellerVariables = {
  SELLER_NAME: text(255)
    .optional()
    .describe('The legal seller, as stated on invoices. In development: a demo company.'),
  SELLER_STREET: text(255).optional().describe('Street and number of the seller.'),
  SELLER_POSTAL_CODE: text(20).optional().describe('Postal code of the seller.'),
  SELLER_CITY: text(100).optional().describe('City of the seller.'),
  SELLER_COUNTRY: z
    .string()
    .refine(isCountry, 'must be the two-letter code of a country in capitals (ISO 3166-1), such as NL')
    .default('NL')
    .describe('Country of the seller, as a two-letter code. The country decides which sales are taxed as domestic.'),
  SELLER_STATEMENT_NAME: z
    .string()
    .regex(
      /^(?=.*[A-Za-z])[^<>\\'"*\P{ASCII}\p{Cc}]{5,22}$/u,
      'must be 5 to 22 ASCII characters with a letter, without < > \\ \' " *',
    )
    .optional()
    .describe(
      "Name of the seller on the buyer's bank statement, as set in the account of the payment provider. Pages and receipts show this name.",
    ),
  SELLER_VAT_ID: z
    .string()
    .transform(cleanTaxId)
    .pipe(text(30))
    .refine(
      (vatId) => !hasWrongCheckDigits(vatId),
      'must be a VAT ID in the format of its country with valid check digits, such as NL000099998B57',
    )
    .optional()
    .describe('VAT ID of the seller. Check digits are verified for the EU, the United Kingdom, and Switzerland.'),
  SELLER_EMAIL: parsed(canonicalEmail, 'must be an email address')
    .optional()
    .describe(
      'Email address of the seller for buyers. Consumer law requires an address (Directive ' +
        '2011/83/EU, art. 6(1)(c)).',
    ),
}

type Values = z.output<z.ZodObject<typeof sellerVariables>>

export const requiredOfSeller = [
  'SELLER_NAME',
  'SELLER_STREET',
  'SELLER_POSTAL_CODE',
  'SELLER_CITY',
  'SELLER_VAT_ID',
] as const

/** The seller's VAT ID is well-formed but not assigned. */
const demoSeller = {
  name: 'Billhook Demo Seller B.V.',
  street: 'Keizersgracht 1',
  postalCode: '1015 CN',
  city: 'Amsterdam',
  vatId: 'NL000099998B57',
  statementName: 'BILLHOOK DEMO',
  email: 'seller@example.com',
}

export function sellerOf(value: Values) {
  const { vatId, email, statementName } =
    value.SELLER_NAME === undefined ? demoSeller : { vatId: null, email: null, statementName: null }
  return {
    name: value.SELLER_NAME ?? demoSeller.name,
    street: value.SELLER_STREET ?? demoSeller.street,
    postalCode: value.SELLER_POSTAL_CODE ?? demoSeller.postalCode,
    city: value.SELLER_CITY ?? demoSeller.city,
    country: value.SELLER_COUNTRY,
    vatId: value.SELLER_VAT_ID ?? vatId,
    email: value.SELLER_EMAIL ?? email,
    statementName: value.SELLER_STATEMENT_NAME ?? statementName,
  }
}
