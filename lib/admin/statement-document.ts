import texts from '../../messages/admin/en.json' with { type: 'json' }
import { lastDayOf } from '../kernel/calendar-period.ts'
import { dayAndTime, days, money } from '../kernel/format.ts'
import { amount } from '../kernel/money.ts'
import type { StatementDocument } from '../modules/ledger/page.ts'
import type { PeriodStatement } from '../modules/ledger/statement.ts'
import { sellerView } from '../modules/orders/seller-view.ts'
import { config } from '../platform/config.ts'
import { translator } from '../platform/translate.ts'
import type { Access } from './access.ts'

const words = texts.balance.statement
const locale = 'en'

/** A statement in words and figures, from the same data as its page and its table (`modules/ledger/statement.ts`). */
export async function statementDocument(
  { storefront, tenant }: Pick<Access, 'storefront' | 'tenant'>,
  { period, status, statements }: PeriodStatement,
  now: Date,
): Promise<StatementDocument> {
  const isFinal = status === 'final'
  const { name, addressLines, vatId } = sellerView(config().seller)
  const t = await translator(locale)
  const asOf = isFinal ? period.until : now
  return {
    locale,
    madeAt: asOf.toISOString(),
    title: words.title.replace('{period}', period.name),
    heading: words.document.heading,
    test: tenant.testmode ? { band: t('common.testMode'), note: words.document.testNote } : null,
    facts: [
      { label: words.document.period, value: period.name },
      { label: words.document.days, value: days(period.from.toISOString(), lastDayOf(period.name), locale) },
      ...(isFinal ? [] : [{ label: words.document.asOf, value: dayAndTime(now.toISOString(), locale) }]),
    ],
    parties: [
      { heading: words.document.by, name, lines: [...addressLines, ...(vatId === null ? [] : [vatId])] },
      { heading: words.document.of, name: storefront.merchant.name, lines: [storefront.name, storefront.id] },
    ],
    tables: statements.map(tableOf),
    closing: [...(statements.length === 0 ? [words.nothing] : [words.signs]), ...(isFinal ? [] : [words.provisional])],
  }
}

function tableOf({ currency, opening, lines, closing }: PeriodStatement['statements'][number]) {
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
