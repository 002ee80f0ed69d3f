import { z } from 'zod'
import { isCountry } from '../../kernel/countries.ts'
import { currencies } from '../../kernel/currencies.ts'
import { type IdPrefix, isId } from '../../kernel/ids.ts'
import { endOfTime, parseDay, parseMoment, toWire } from '../../kernel/moment.ts'
import { type Currency, formatMoney, type Money, parseMoney } from '../../kernel/money.ts'
import { ruleOf } from '../../kernel/rule-problem.ts'
import { cleanTaxId } from '../../kernel/tax-id.ts'
import { isBlank, isStorableText } from '../../kernel/text.ts'

const characters = (text: string) => [...text].length

interface Text {
  readonly min?: number
  readonly max: number
  readonly multiline?: boolean
  clean?(typed: string): string
}

/** Lengths are in code points, after `clean`. With a `min` above 0, at least one character must be visible. */
export const text = ({ min = 0, max, multiline = false, clean = (typed) => typed }: Text) =>
  z
    .string()
    .overwrite(clean)
    .refine((value) => isStorableText(value, { multiline }), {
      ...ruleOf(multiline ? 'plain_text' : 'one_line'),
      abort: true,
    })
    .refine(
      (value) => characters(value) >= min && characters(value) <= max,
      min > 0 ? ruleOf('characters', { least: min, most: max }) : ruleOf('characters_at_most', { most: max }),
    )
    .refine((value) => min === 0 || value === '' || !isBlank(value), ruleOf('visible'))
    .meta({ maxLength: max, ...(min > 0 && { minLength: min }) })

export const id = (...prefixes: [IdPrefix, ...IdPrefix[]]) =>
  z
    .string()
    .refine(
      (value) => prefixes.some((prefix) => isId(prefix, value)),
      ruleOf('object_id', { prefixes: prefixes.join(' or ') }),
    )
    .meta({
      pattern: `^(${prefixes.join('|')})[0-9A-Za-z]{22}$`,
      description: `An id that begins with ${prefixes.map((prefix) => `\`${prefix}\``).join(' or ')}.`,
    })

/** A time with an offset from UTC, in whole seconds. */
export const Moment = z
  .string()
  .refine((value) => parseMoment(value) !== null, {
    error: `Must be an ISO 8601 timestamp such as "2027-01-31T00:00:00Z", not after ${toWire(endOfTime)}.`,
  })
  .transform((value) => parseMoment(value) ?? endOfTime)
  .meta({ format: 'date-time' })

const momentOrDay = (value: string) => parseMoment(value) ?? parseDay(value)

/** A time, or a day, which means midnight UTC. */
export const MomentOrDay = z
  .string()
  .refine((value) => momentOrDay(value) !== null, {
    error: `Must be an ISO 8601 timestamp or day such as "2027-01-31T00:00:00Z" or "2027-01-31", not after ${toWire(endOfTime)}.`,
  })
  .transform((value) => momentOrDay(value) ?? endOfTime)
  .meta({ examples: ['2027-01-31T00:00:00Z', '2027-01-31'] })

export const WireMoment = z.string().meta({ format: 'date-time' })

/** An amount with two decimals between `least` and `most`, for example "0.01". The parsed value is in minor units. */
export function amountIn<Taken extends Currency>(currency: z.ZodType<Taken>, least: string, most: string) {
  const minor = (value: string) => parseMoney(value, 'EUR')?.minor ?? 0n
  return z
    .object({
      value: z
        .string()
        .refine((value) => parseMoney(value, 'EUR') !== null && !/^0\d/.test(value), {
          ...ruleOf('decimal_amount', { least: { decimal: least }, most: { decimal: most } }),
          abort: true,
        })
        .refine((value) => minor(value) >= minor(least), ruleOf('at_least', { least: { decimal: least } }))
        .refine((value) => minor(value) <= minor(most), ruleOf('at_most', { most: { decimal: most } }))
        .meta({
          pattern: `^(0|[1-9][0-9]{0,${most.length - 4}})\\.[0-9]{2}$`,
          examples: ['10.00'],
          description: `A decimal string with exactly two decimals, from ${least} to ${most}.`,
        }),
      currency: currency.describe('An ISO 4217 code.'),
    })
    .transform(({ value, currency }): Money => {
      const money = parseMoney(value, currency)
      if (!money) throw new Error('an amount passed its check and could not be parsed')
      return money
    })
}

export const priceIn = <Taken extends Currency>(currency: z.ZodType<Taken>) => amountIn(currency, '0.00', '999999.99')

/** The catalog supports only EUR. */
export const EuroPrice = priceIn(z.literal('EUR', { error: 'Must be "EUR". Other currencies are not accepted.' }))

export const AnyCurrency = z.enum(currencies, { error: `Must be one of ${currencies.join(', ')}.` })

export const MoneyShape = z
  .object({
    value: z.string().describe('A decimal string with two decimals, unless stated otherwise.'),
    currency: AnyCurrency.describe('An ISO 4217 code.'),
  })
  .meta({ id: 'Money' })

export const wireMoney = (money: Money) => ({ value: formatMoney(money), currency: money.currency })

export const LinkShape = z
  .object({
    href: z.string().describe('The absolute URL.'),
    type: z.string().describe('The media type at that URL: `application/json` for a resource, `text/html` for a page.'),
  })
  .meta({ id: 'Link' })
export const SelfLink = LinkShape.describe('This resource.')

const TaxRateShape = z
  .object({
    name: z.string().describe('The name of the tax, such as `VAT`.'),
    percentage: z.number().describe('The rate in percent, such as 21 or 9.975.'),
    taxablePercentage: z.number().describe('The part of the amount that is taxed, in percent.'),
  })
  .meta({ id: 'TaxRate' })
export const TaxLineShape = z
  .object({ taxRate: TaxRateShape.describe('The rate that applies.'), amount: MoneyShape.describe('The tax amount.') })
  .meta({ id: 'TaxLine' })

export const metadataKeys = 50
export const metadataKeyCharacters = 40
export const metadataValueCharacters = 500

/** Metadata is stored as JSON text, because `jsonb` or a JavaScript object could reorder keys, round numbers, or lose keys such as `__proto__`. */
const Metadata = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'Must be an object whose values are strings, numbers or booleans.',
    abort: true,
  })
  .superRefine((value, context) => {
    const entries = Object.entries(value)
    if (entries.length > metadataKeys)
      context.addIssue({ code: 'custom', message: `Must have at most ${metadataKeys} keys.` })
    for (const [key, item] of entries.slice(0, metadataKeys + 1)) {
      const issue = metadataProblem(key, item)
      if (issue)
        context.addIssue({
          code: 'custom',
          message: issue,
          path: [characters(key) > 100 ? `${key.slice(0, 100)}…` : key],
        })
    }
  })
  .transform((value) => JSON.stringify(value))
  .meta({
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  })

export const OptionalMetadata = Metadata.nullish().describe(
  `Key-value pairs for the merchant's use. Up to ${metadataKeys} keys of up to ${metadataKeyCharacters} characters; values are strings, numbers or booleans of up to ${metadataValueCharacters} characters.`,
)

function metadataProblem(key: string, item: unknown): string | null {
  if (!isStorableText(key) || key === '')
    return 'The key must not be empty, and must be well-formed text without control characters.'
  if (characters(key) > metadataKeyCharacters) return `The key must have at most ${metadataKeyCharacters} characters.`
  if (typeof item === 'boolean') return null
  if (typeof item === 'number') {
    if (!Number.isFinite(item)) return 'The value must be a finite number.'
    const isExact = !Number.isInteger(item) || Number.isSafeInteger(item)
    return isExact ? null : 'The value must be an integer of at most 9007199254740991. Send larger integers as strings.'
  }
  if (typeof item !== 'string') return 'The value must be a string, a number or a boolean.'
  if (!isStorableText(item, { multiline: true }))
    return 'The value must be well-formed text without control characters.'
  return characters(item) > metadataValueCharacters
    ? `The value must have at most ${metadataValueCharacters} characters.`
    : null
}

export const MetadataShape = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .nullable()
  .describe("The merchant's key-value pairs, as they were sent. Null if no pairs were sent.")
export const wireMetadata = (json: string | null): z.infer<typeof MetadataShape> =>
  json === null ? null : JSON.parse(json)

const addressLine = text({ max: 255 }).nullish()
const addressFields = {
  fullName: "The buyer's name on invoices.",
  companyName: "The buyer's company.",
  taxId: "The buyer's tax ID, such as an EU VAT ID, without spaces, punctuation and invisible characters.",
  streetAndNumber: 'The street with its number.',
  streetAdditional: 'A second line of the street.',
  city: 'The city.',
  region: 'The region or state.',
  postalCode: 'The postal code.',
  country: 'The country as an ISO 3166-1 alpha-2 code in capital letters.',
}

const TaxId = text({ max: 50, clean: cleanTaxId })

/** All fields are optional. `null` and `''` both mean that the field is empty. */
export const BillingAddress = z.object({
  fullName: addressLine.describe(addressFields.fullName),
  companyName: addressLine.describe(addressFields.companyName),
  taxId: TaxId.nullish().describe(addressFields.taxId),
  streetAndNumber: addressLine.describe(addressFields.streetAndNumber),
  streetAdditional: addressLine.describe(addressFields.streetAdditional),
  city: addressLine.describe(addressFields.city),
  region: addressLine.describe(addressFields.region),
  postalCode: text({ max: 20 }).nullish().describe(addressFields.postalCode),
  country: z
    .string()
    .refine((value) => value === '' || isCountry(value), {
      error: 'Must be an ISO 3166-1 alpha-2 country code in capital letters, such as "NL".',
    })
    .meta({ pattern: '^([A-Z]{2})?$' })
    .nullish()
    .describe(addressFields.country),
})

const billingAddressFields = Object.keys(BillingAddress.shape) as (keyof z.infer<typeof BillingAddress>)[]

export const BillingAddressShape = z
  .object(
    Object.fromEntries(
      billingAddressFields.map((field) => [field, z.string().nullable().describe(addressFields[field])]),
    ) as Record<keyof z.infer<typeof BillingAddress>, z.ZodNullable<z.ZodString>>,
  )
  .meta({ id: 'BillingAddress' })

/** The order of the fields is fixed, so that an event and a later GET are byte-identical. */
export const wireBillingAddress = (
  address: Readonly<Record<keyof z.infer<typeof BillingAddress>, string | null>>,
): z.infer<typeof BillingAddressShape> => ({
  fullName: address.fullName ?? null,
  companyName: address.companyName ?? null,
  taxId: address.taxId ?? null,
  streetAndNumber: address.streetAndNumber ?? null,
  streetAdditional: address.streetAdditional ?? null,
  city: address.city ?? null,
  region: address.region ?? null,
  postalCode: address.postalCode ?? null,
  country: address.country ?? null,
})

/** The OpenAPI document declares the parameter as a boolean, although a URL contains it as text. */
export const queryBoolean = z
  .enum(['true', 'false'], { error: 'Must be "true" or "false".' })
  .meta({ type: 'boolean', enum: undefined })
  .transform((value) => value === 'true')

export const queryFlag = queryBoolean.default(false).meta({ default: false })
