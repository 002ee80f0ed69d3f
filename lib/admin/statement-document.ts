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
import { type AdminTranslator, adminTranslator } from './messages.ts'

/** A statement in the language of the reader, from the same data as its page and its CSV (`modules/ledger/statement.ts`). */
export async function statementDocument(
  { storefront, tenant, language: locale }: Pick<Access, 'storefront' | 'tenant' | 'language'>,
  { period, status, statements }: PeriodStatement,
  now: Date,
): Promise<StatementDocument> {
  const t = adminTranslator(locale)
  const name = periodName(period.name, locale, (values) => t('periods.quarter', values))
  const isFinal = status === 'final'
  const seller = sellerView(config().seller)
  const hosted = await translator(locale)
  const asOf = isFinal ? period.until : now
  return {
    locale,
    madeAt: asOf.toISOString(),
    title: t('balance.statement.title', { period: name }),
    heading: t('balance.statement.document.heading'),
    test: tenant.testmode ? { band: hosted('common.testMode'), note: t('balance.statement.document.testNote') } : null,
    facts: [
      { label: t('balance.statement.document.period'), value: name },
      {
        label: t('balance.statement.document.days'),
        value: days(period.from.toISOString(), lastDayOf(period.name), locale),
      },
      ...(isFinal
        ? []
        : [{ label: t('balance.statement.document.asOf'), value: dayAndTime(now.toISOString(), locale) }]),
    ],
    parties: [
      {
        heading: t('balance.statement.document.by'),
        name: seller.name,
        lines: [...seller.addressLines, ...(seller.vatId === null ? [] : [seller.vatId])],
      },
      {
        heading: t('balance.statement.document.of'),
        name: storefront.merchant.name,
        lines: [storefront.name, storefront.id],
      },
    ],
    tables: statements.map((each) => tableOf(each, t, locale)),
    closing: [
      ...(statements.length === 0 ? [t('balance.statement.nothing')] : [t('balance.statement.signs')]),
      ...(isFinal ? [] : [t('balance.statement.provisional')]),
    ],
  }
}

function tableOf(
  { currency, opening, lines, closing }: PeriodStatement['statements'][number],
  t: AdminTranslator,
  locale: Locale,
) {
  const figure = (minor: bigint) => money(amount(minor, currency), locale)
  const balance = (label: string, minor: bigint) => ({ cells: [label, '', '', '', '', figure(minor)], isSum: true })
  return {
    heading: currency,
    columns: [
      t('balance.statement.item'),
      t('balance.statement.count'),
      t('balance.statement.buyers'),
      t('balance.statement.taxes'),
      t('balance.statement.fees'),
      t('balance.statement.balance'),
    ],
    rows: [
      balance(t('balance.statement.opening'), opening),
      ...lines.map(({ kind, count, buyers, taxes, fees, balance }) => ({
        cells: [
          ...[t(`balance.statement.kinds.${kind}`), String(count)],
          ...(kind === 'payout' ? ['', '', ''] : [buyers, taxes, fees].map(figure)),
          figure(balance),
        ],
        isSum: false,
      })),
      balance(t('balance.statement.closing'), closing),
    ],
  }
}
