import { lastDayOf, type Period, periodOf } from '../../kernel/calendar-period.ts'
import { type Currency, currencies, testRates } from '../../kernel/currencies.ts'
import { formatMoney } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { requireStorefront } from '../../modules/accounts/store.ts'
import { newestRates } from '../../modules/exchange/rates.ts'
import { rateFrom } from '../../modules/exchange/store.ts'
import { taxPosted } from '../../modules/ledger/store.ts'
import { salesSums, type TaxScope, taxDocuments } from '../../modules/orders/tax-documents.ts'
import {
  inReturns,
  isInForce,
  lawInEnglish,
  type OssRow,
  ossBalancesOf,
  ossLayouts,
  ossReturn,
  percentOf,
  quarterOf,
  type Standing,
  salesListOf,
  standingOf,
  type TaxDocument,
  type ThresholdRow,
  taxByCurrency,
  thresholdsOf,
  totalsOf,
  viesParts,
} from '../../modules/tax/rules/index.ts'
import { allRegistrations } from '../../modules/tax/store.ts'
import { now as clockNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db, type Sql } from '../../platform/db/db.ts'

export interface Asked {
  /** The year, the quarter, or the month: `2026`, `2026-Q4`, or `2026-12`. */
  readonly period: string
  readonly testmode: boolean
  /** The storefront in test mode, where each storefront has its own clock; null in live mode, where one seller sells for all storefronts. */
  readonly storefrontId: string | null
}

/** `final` means that the period has ended, and that the exchange rates of its last day are known. */
type Status = 'final' | 'provisional'

/** Returns the One Stop Shop return, with the balances and the amount to pay, in EUR. Refuses with `validation_failed` if the period is not a quarter. */
export const ossReturnOf = (asked: Asked) =>
  reading(asked, async (sql, read) => {
    const { rows, status } = await ossRowsOf(sql, read)
    const { balances, toPay } = ossBalancesOf(rows)
    const figure = (record: 'balance' | 'repaid' | 'total', country: string | null, tax: bigint) => ({
      record,
      period: read.period.name,
      country,
      rateType: null,
      rate: null,
      taxable: null,
      tax: euros(tax),
      status,
    })
    return [
      ...rows.map(({ record, quarter, country, rate, taxable, taxAmount }) => ({
        record,
        period: quarter,
        country: inReturns(country),
        rateType: rate === null ? null : 'standard',
        rate,
        taxable: taxable === null ? null : euros(taxable),
        tax: euros(taxAmount),
        status,
      })),
      ...balances.map(({ country, tax }) => figure(tax < 0n ? 'repaid' : 'balance', inReturns(country), tax)),
      figure('total', null, toPay),
    ]
  })

/**
 * Returns the file for the portal. Refuses with `validation_failed` if the period is not a quarter, or if the return is
 * provisional. Also refuses if no registration is valid on the last day of the quarter. The format of the portal must
 * be known (`ossLayouts`), and the registration number must fit this format.
 */
export const ossFileOf = (asked: Asked): Promise<string> =>
  reading(asked, async (sql, read) => {
    const { rows, status } = await ossRowsOf(sql, read)
    const quarter = read.period.name
    if (status === 'provisional') throw invalid('period', ruleProblem('return_not_final'))
    const day = lastDayOf(quarter)
    const registration = (await allRegistrations(sql)).find((each) => each.scheme === 'oss' && isInForce(each, day))
    if (!registration) throw invalid('format', ruleProblem('oss_registration', { day: { day } }))
    const layout = ossLayouts[registration.country]
    if (!layout) {
      const known = Object.keys(ossLayouts).join(', ')
      throw invalid('format', ruleProblem('oss_layout', { country: registration.country, known }))
    }
    const number = layout.numberOf(registration.number)
    if (number === null)
      throw invalid('format', ruleProblem('oss_number', { ...layout.number, number: registration.number }))
    return layout.write({ number, quarter, rows })
  })

/** The rows are provisional until the quarter has ended and the rates of its last day are known. */
async function ossRowsOf(sql: Sql, { period, scope, status }: Read): Promise<{ rows: OssRow[]; status: Status }> {
  if (!/Q/.test(period.name)) throw invalid('period', 'Must be a quarter, such as 2026-Q4.')
  const documents = await taxDocuments(sql, scope, period)
  const rates = await ratesAtEnds(sql, scope, documents)
  const rows = ossReturn(documents, period.name, {
    registrations: await allRegistrations(sql),
    rateAtEnd: (currency, quarter) => rates.get(`${currency} ${quarter}`)?.rate ?? '1',
  })
  return { rows, status: [...rates.values()].every(({ isOfDay }) => isOfDay) ? status : 'provisional' }
}

/** Returns the EC sales list of a month or a quarter. Amounts are in EUR. */
export const salesListFor = (asked: Asked) =>
  reading(asked, async (sql, { period, scope, status }) => {
    const documents = await taxDocuments(sql, scope, period)
    return salesListOf(documents, period.name, await allRegistrations(sql)).map(({ period: of, taxId, supplied }) => {
      const { countryCode, vatNumber } = viesParts(taxId)
      const buyer = { country: countryCode, number: vatNumber }
      return { period: of, ...buyer, kind: 'services', amount: euros(supplied), status }
    })
  })

/** The last row of each currency has the tax of the ledger. A `difference` other than 0.00 means that the books are wrong. */
export const taxTotalsFor = (asked: Asked) =>
  reading(asked, async (sql, { period, scope, status }) => {
    const rows = totalsOf(await taxDocuments(sql, scope, period), await allRegistrations(sql))
    const [sold, posted] = [taxByCurrency(rows), await taxPosted(sql, scope, period)]
    const all = currencies.filter((currency) => sold.has(currency) || posted.has(currency))
    return [
      ...rows.map(({ taxable, taxAmount, currency, ...about }) => ({
        period: period.name,
        ...about,
        currency,
        taxable: formatMoney({ minor: taxable, currency }),
        taxAmount: formatMoney({ minor: taxAmount, currency }),
        ledger: null,
        difference: null,
        status,
      })),
      ...all.map((currency) => {
        const [ours, ledger] = [sold.get(currency) ?? 0n, posted.get(currency) ?? 0n]
        const money = (minor: bigint) => formatMoney({ minor, currency })
        return {
          period: period.name,
          declaration: 'all',
          country: null,
          tax: null,
          rate: null,
          documents: null,
          currency,
          taxable: null,
          taxAmount: money(ours),
          ledger: money(ledger),
          difference: money(ours - ledger),
          status,
        }
      }),
    ]
  })

export interface SoldIn extends ThresholdRow {
  /** The used part of the threshold, in whole percent and at the newest exchange rate of the year; null if the row has no threshold. */
  readonly percent: bigint | null
  readonly isRegistered: boolean
  readonly standing: Standing
}

/** Returns one row for all member states of the EU together, and one row for each other country. Every known threshold has a row. */
export const thresholdsOfYear = (asked: Asked): Promise<{ rows: SoldIn[]; status: Status }> =>
  reading(asked, async (sql, { period, scope, status }) => {
    if (!/^\d{4}$/.test(period.name)) throw invalid('period', 'Must be a year, such as 2026.')
    const registrations = await allRegistrations(sql)
    const day = lastDayOf(period.name)
    const rates = await newestRates(sql, scope, new Date(`${day}T00:00:00Z`))
    const rows = thresholdsOf(await salesSums(sql, scope, period), config().seller.country).map((row) => {
      const { country, counted, threshold } = row
      const percent = threshold && percentOf(threshold, counted, rates[threshold.currency].rate)
      const isRegistered = registrations.some((each) => isHere(each, country) && isInForce(each, day))
      return { ...row, percent, isRegistered, standing: standingOf(row, percent, isRegistered) }
    })
    return { rows, status }
  })

export async function thresholdsFor(asked: Asked) {
  const { rows, status } = await thresholdsOfYear(asked)
  return rows.map(({ country, sold, counted, threshold, percent, isRegistered, standing }) => ({
    period: asked.period,
    country: inReturns(country),
    sold: euros(sold),
    threshold: threshold && formatMoney({ minor: threshold.amount, currency: threshold.currency }),
    currency: threshold?.currency ?? null,
    counts: threshold?.counts ?? null,
    within: threshold?.within ?? null,
    counted: threshold && euros(counted),
    percent: percent === null ? null : String(percent),
    standing,
    registered: isRegistered ? 'yes' : 'no',
    since: threshold?.since ?? null,
    law: threshold && lawInEnglish(threshold.law),
    status,
  }))
}

/**
 * The member states of the EU (`EU`) count as registered with one registration for the One Stop Shop, because this
 * registration covers all of them.
 */
const isHere = ({ scheme, country }: { scheme: string; country: string }, asked: string): boolean =>
  asked === 'EU' ? scheme === 'oss' : country === asked

interface Read {
  readonly period: Period
  readonly scope: TaxScope
  readonly status: Status
}

/**
 * Reads a return from one snapshot. Refuses with `validation_failed` if the period is invalid, if the storefront is
 * unknown, or if `storefrontId` does not fit the mode.
 */
async function reading<T>(asked: Asked, answer: (sql: Sql, read: Read) => Promise<T>): Promise<T> {
  const period = periodOf(asked.period)
  if (!period) throw invalid('period', 'Must be a year, quarter or month, such as 2026, 2026-Q4 or 2026-12.')
  const { testmode, storefrontId } = asked
  if (testmode && storefrontId === null) throw invalid('storefront', 'Is required in test mode.')
  if (!testmode && storefrontId !== null)
    throw invalid(
      'storefront',
      'Must be omitted in live mode, because the seller declares the sales of all storefronts together.',
    )
  if (storefrontId !== null) await requireStorefront(db(), storefrontId)
  return db().$transaction(
    async (sql) => {
      const now = await clockNow(sql, { testmode, storefrontId: storefrontId ?? '' })
      const status = now >= period.until ? 'final' : 'provisional'
      return answer(sql, { period, scope: { testmode, storefrontId }, status })
    },
    { isolationLevel: 'RepeatableRead', timeout: 120_000 },
  )
}

/**
 * Returns the exchange rates of the currencies of the documents, with keys such as `SEK 2026-Q4`. The newest rate applies until the rate at the end of
 * the quarter is known.
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
