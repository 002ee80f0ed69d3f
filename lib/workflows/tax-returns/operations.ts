import { lastDayOf, type Period, periodOf } from '../../kernel/calendar-period.ts'
import { csvLine } from '../../kernel/csv.ts'
import { type Currency, currencies, testRates } from '../../kernel/currencies.ts'
import { formatMoney } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import { requireStorefront } from '../../modules/accounts/store.ts'
import { newestRates } from '../../modules/exchange/rates.ts'
import { rateFrom } from '../../modules/exchange/store.ts'
import { taxPosted } from '../../modules/ledger/store.ts'
import { type TaxScope, taxDocuments } from '../../modules/orders/tax-documents.ts'
import {
  isInForce,
  ossReturn,
  percentOf,
  quarterOf,
  salesListOf,
  type TaxDocument,
  taxByCurrency,
  thresholdsOf,
  totalsOf,
  viesParts,
} from '../../modules/tax/rules/index.ts'
import { allRegistrations } from '../../modules/tax/store.ts'
import { now as clockNow } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'

export interface Asked {
  /** A year, a quarter or a month, such as `2026`, `2026-Q4` or `2026-12`. */
  readonly period: string
  readonly testmode: boolean
  /** Of test mode, where each storefront has a clock of its own; null in live mode, where one seller sells for all. */
  readonly storefrontId: string | null
}

/** `final`: the period has ended and the rates of its end are known. */
type Status = 'final' | 'provisional'

/**
 * The lines of the One Stop Shop's return for a quarter, and their sum, in EUR. Refuses `validation_failed` on anything
 * but a quarter.
 */
export const ossReturnOf = (asked: Asked) =>
  reading(asked, async (sql, { period, scope, documents, status }) => {
    if (!/Q/.test(period.name)) throw invalid('period', 'Must be a quarter, such as 2026-Q4.')
    const rates = await ratesAtEnds(sql, scope, documents)
    const rows = ossReturn(documents, period.name, {
      registrations: await allRegistrations(sql),
      rateAtEnd: (currency, quarter) => rates.get(`${currency} ${quarter}`)?.rate ?? '1',
    })
    const areKnown = [...rates.values()].every(({ isOfDay }) => isOfDay)
    const payable = rows.reduce((total, { record, taxAmount }) => total + (record === 'too_late' ? 0n : taxAmount), 0n)
    const stated = areKnown ? status : 'provisional'
    return [
      ...rows.map(({ record, quarter, country, rate, taxable, taxAmount }) => ({
        ...{
          record,
          period: quarter,
          country: asInReturns(country),
          rateType: rate === null ? null : 'standard',
          rate,
        },
        ...{ taxable: taxable === null ? null : euros(taxable), tax: euros(taxAmount), status: stated },
      })),
      {
        ...{ record: 'total', period: period.name, country: null, rateType: null, rate: null },
        ...{ taxable: null, tax: euros(payable), status: stated },
      },
    ]
  })

/** The lines of the EC sales list (recapitulative statement) for a month or a quarter, in EUR. */
export const salesListFor = (asked: Asked) =>
  reading(asked, async (sql, { period, documents, status }) =>
    salesListOf(documents, period.name, await allRegistrations(sql)).map(({ period: of, taxId, supplied }) => {
      const { countryCode, vatNumber } = viesParts(taxId)
      const buyer = { country: countryCode, number: vatNumber }
      return { period: of, ...buyer, kind: 'services', amount: euros(supplied), status }
    }),
  )

/**
 * What was sold and credited in a month or a quarter, by country and rate, and a last row for each currency with the tax
 * that the ledger has for it: `difference` is 0.00, or the books are wrong.
 */
export const taxTotalsFor = (asked: Asked) =>
  reading(asked, async (sql, { period, scope, documents, status }) => {
    const rows = totalsOf(documents, await allRegistrations(sql))
    const [sold, posted] = [taxByCurrency(rows), await taxPosted(sql, scope, period)]
    const all = currencies.filter((currency) => sold.has(currency) || posted.has(currency))
    return [
      ...rows.map(({ taxable, taxAmount, currency, ...about }) => ({
        ...{ period: period.name, ...about, currency, taxable: formatMoney({ minor: taxable, currency }) },
        ...{ taxAmount: formatMoney({ minor: taxAmount, currency }), ledger: null, difference: null, status },
      })),
      ...all.map((currency) => {
        const [ours, ledger] = [sold.get(currency) ?? 0n, posted.get(currency) ?? 0n]
        const money = (minor: bigint) => formatMoney({ minor, currency })
        return {
          ...{
            period: period.name,
            declaration: 'all',
            country: null,
            tax: null,
            rate: null,
            documents: null,
            currency,
          },
          ...{ taxable: null, taxAmount: money(ours), ledger: money(ledger), difference: money(ours - ledger), status },
        }
      }),
    ]
  })

/**
 * What consumers in other countries bought in a year, in EUR: the member states together and each country outside the EU,
 * with the threshold that counts it, where one is known: its amount in its own currency, how much of it is used at the
 * newest rate of the year, and the law; and whether the seller is registered there at the end of the year.
 */
export const thresholdsFor = (asked: Asked) =>
  reading(asked, async (sql, { period, scope, documents, status }) => {
    if (!/^\d{4}$/.test(period.name)) throw invalid('period', 'Must be a year, such as 2026.')
    const registrations = await allRegistrations(sql)
    const day = lastDayOf(period.name)
    const rates = await newestRates(sql, scope, new Date(`${day}T00:00:00Z`))
    return thresholdsOf(documents, registrations).map(({ country, sold, counted, threshold }) => ({
      ...{ period: period.name, country: asInReturns(country), sold: euros(sold) },
      threshold: threshold && formatMoney({ minor: threshold.amount, currency: threshold.currency }),
      currency: threshold?.currency ?? null,
      ...{ counts: threshold?.counts ?? null, within: threshold?.within ?? null },
      counted: threshold && euros(counted),
      percent: threshold && String(percentOf(threshold, counted, rates[threshold.currency].rate)),
      registered: registrations.some((each) => isHere(each, country) && isInForce(each, day)) ? 'yes' : 'no',
      ...{ since: threshold?.since ?? null, law: threshold?.law ?? null, status },
    }))
  })

/** One registration with the One Stop Shop is for all member states. */
const isHere = ({ scheme, country }: { scheme: string; country: string }, asked: string): boolean =>
  asked === 'EU' ? scheme === 'oss' : country === asked

/** Rows as a CSV file, with their names in the first line. */
export const toCsv = (rows: readonly Record<string, string | number | null>[]): string =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map(csvLine).join('')

interface Read {
  readonly period: Period
  readonly scope: TaxScope
  readonly documents: readonly TaxDocument[]
  readonly status: Status
}

/** All of it is read from one snapshot. Refuses `validation_failed` on an unknown period, storefront or scope. */
async function reading<T>(asked: Asked, answer: (sql: Sql, read: Read) => Promise<T>): Promise<T> {
  const period = periodOf(asked.period)
  if (!period) throw invalid('period', 'Must be a year, a quarter or a month, such as 2026, 2026-Q4 or 2026-12.')
  const { testmode, storefrontId } = asked
  if (testmode && storefrontId === null) throw invalid('storefront', 'Is required in test mode.')
  if (!testmode && storefrontId !== null)
    throw invalid('storefront', 'Must be left out in live mode: one seller declares what is sold for all.')
  if (storefrontId !== null) await requireStorefront(db(), storefrontId)
  return db().$transaction(
    async (sql) => {
      const documents = await taxDocuments(sql, { testmode, storefrontId }, period)
      const now = await clockNow(sql, { testmode, storefrontId: storefrontId ?? '' })
      const status = now >= period.until ? 'final' : 'provisional'
      return answer(sql, { period, scope: { testmode, storefrontId }, documents, status })
    },
    { isolationLevel: 'RepeatableRead', timeout: 120_000 },
  )
}

/**
 * The rate of each currency at the end of each quarter in which it was taken, as `SEK 2026-Q4`; until it is known the newest
 * one. Those of test mode never change.
 */
async function ratesAtEnds(sql: Sql, { testmode }: TaxScope, documents: readonly TaxDocument[]) {
  const taken = new Map<string, { currency: Currency; quarter: string }>()
  for (const { currency, soldOn, day } of documents) {
    const quarter = quarterOf(soldOn ?? day)
    if (currency !== 'EUR') taken.set(`${currency} ${quarter}`, { currency, quarter })
  }
  const rates = new Map<string, { rate: string; isOfDay: boolean }>()
  for (const [key, { currency, quarter }] of taken) {
    const end = lastDayOf(quarter)
    const published = testmode ? testRates[currency] : (await rateFrom(sql, currency, end))?.rate
    const rate = published ?? (await newestRates(sql, { testmode }, new Date(`${end}T00:00:00Z`)))[currency].rate
    rates.set(key, { rate, isOfDay: published !== undefined })
  }
  return rates
}

const euros = (minor: bigint): string => formatMoney({ minor, currency: 'EUR' satisfies Currency })

/** Returns of the EU write EL for Greece. */
const asInReturns = (country: string): string => (country === 'GR' ? 'EL' : country)
