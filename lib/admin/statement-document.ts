import { lastDayOf } from '../kernel/calendar-period.ts'
import { dayAndTime, days, money } from '../kernel/format.ts'
import type { Locale } from '../kernel/locale.ts'
import { amount } from '../kernel/money.ts'
import { periodName } from '../kernel/period-name.ts'
import type { StatementDocument } from '../modules/ledger/page.ts'
import type { PeriodStatement } from '../modules/ledger/statement.ts'
import { sellerView } from '../modules/orders/seller-view.ts'
import { config } from '../platform/config.ts'
import { translator } from '../platform/translate.ts'
import type { Access } from './access.ts'
import { adminMessages } from './messages.ts'

type Words = (typeof adminMessages)[Locale]['balance']['statement']

/** A statement in the language of the reader, from the same data as its page and its CSV (`modules/ledger/statement.ts`). */
export async function statementDocument(
  { storefront, tenant, language: locale }: Pick<Access, 'storefront' | 'tenant' | 'language'>,
  { period, status, statements }: PeriodStatement,
  now: Date,
): Promise<StatementDocument> {
  const words = adminMessages[locale].balance.statement
  const { quarter } = adminMessages[locale].periods
  const name = periodName(period.name, locale, (values) =>
    quarter.replace('{quarter}', values.quarter).replace('{year}', values.year),
  )
  const isFinal = status === 'final'
  const seller = sellerView(config().seller)
  const t = await translator(locale)
  const asOf = isFinal ? period.until : now
  return {
    locale,
    madeAt: asOf.toISOString(),
    title: words.title.replace('{period}', name),
    heading: words.document.heading,
    test: tenant.testmode ? { band: t('common.testMode'), note: words.document.testNote } : null,
    facts: [
      { label: words.document.period, value: name },
      { label: words.document.days, value: days(period.from.toISOString(), lastDayOf(period.name), locale) },
      ...(isFinal ? [] : [{ label: words.document.asOf, value: dayAndTime(now.toISOString(), locale) }]),
    ],
    parties: [
      {
        heading: words.document.by,
        name: seller.name,
        lines: [...seller.addressLines, ...(seller.vatId === null ? [] : [seller.vatId])],
      },
      { heading: words.document.of, name: storefront.merchant.name, lines: [storefront.name, storefront.id] },
    ],
    tables: statements.map((each) => tableOf(each, words, locale)),
    closing: [...(statements.length === 0 ? [words.nothing] : [words.signs]), ...(isFinal ? [] : [words.provisional])],
  }
}

function tableOf(
  { currency, opening, lines, closing }: PeriodStatement['statements'][number],
  words: Words,
  locale: Locale,
) {
  const figure = (minor: bigint) => money(amount(minor, currency), locale)
  const balance = (label: string, minor: bigint) => ({ cells: [label, '', '', '', '', figure(minor)], isSum: true })
  return {
    heading: currency,
    columns: [words.item, words.count, words.buyers, words.taxes, words.fees, words.balance],
    rows: [
      balance(words.opening, opening),
      ...lines.map(({ kind, count, buyers, taxes, fees, balance }) => ({
        cells: [
          ...[words.kinds[kind], String(count)],
          ...(kind === 'payout' ? ['', '', ''] : [buyers, taxes, fees].map(figure)),
          figure(balance),
        ],
        isSum: false,
      })),
      balance(words.closing, closing),
    ],
  }
}
