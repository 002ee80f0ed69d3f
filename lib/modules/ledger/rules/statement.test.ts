import { describe, expect, it } from 'vitest'
import { percent } from '../../../kernel/money.ts'
import type { Entry } from './account.ts'
import { postLost, postReceived } from './chargeback.ts'
import { postProcessing, postRefunded } from './refund.ts'
import { postReturned, postWrittenOff } from './returned-debit.ts'
import { postSale } from './sale.ts'
import { type StatementKind, statementOf } from './statement.ts'

const sale = postSale({ total: 12_100n, subtotal: 10_000n, fee: { part: percent('5'), fixed: 50n } })
const refund = { subtotal: 5_000n, total: 6_050n, feeReturned: 275n }
const dispute = { total: 2_420n, tax: 420n, providerFee: 1_500n }
const debit = { total: 2_420n, fee: 150n, bankFee: 750n }
const payout: Entry[] = [
  { account: 'merchant_balance', amount: 1_000n },
  { account: 'payouts', amount: -1_000n },
]

const statement = (closing: bigint, moved: Partial<Record<StatementKind, Entry[]>>) => {
  const kinds = Object.entries(moved) as [StatementKind, Entry[]][]
  return statementOf({
    currency: 'EUR',
    closing,
    posted: kinds.flatMap(([kind, entries]) => entries.map((entry) => ({ ...entry, kind, currency: 'EUR' as const }))),
    counts: new Map(kinds.map(([kind]) => [kind, 1])),
  })
}

describe('statement', () => {
  it('in a statement, the opening balance plus the lines of each kind equals the closing balance', () => {
    const { opening, lines, closing } = statement(20_000n, {
      payout,
      refund: [...postProcessing(refund), ...postRefunded(refund)],
      chargeback: [...postReceived(dispute), ...postLost(dispute)],
      return: [...postReturned(debit), ...postWrittenOff({ tax: 420n })],
      order: sale,
    })
    expect(lines).toEqual([
      { kind: 'order', count: 1, buyers: 12_100n, taxes: -2_100n, fees: -550n, payouts: 0n, balance: 9_450n },
      { kind: 'refund', count: 1, buyers: -6_050n, taxes: 1_050n, fees: 275n, payouts: 0n, balance: -4_725n },
      { kind: 'chargeback', count: 1, buyers: -2_420n, taxes: 420n, fees: -1_500n, payouts: 0n, balance: -3_500n },
      { kind: 'return', count: 1, buyers: -2_420n, taxes: 420n, fees: -600n, payouts: 0n, balance: -2_600n },
      { kind: 'payout', count: 1, buyers: 0n, taxes: 0n, fees: 0n, payouts: -1_000n, balance: -1_000n },
    ])
    expect(opening + 9_450n - 4_725n - 3_500n - 2_600n - 1_000n).toBe(closing)
  })

  it('a statement deducts a refund when the refund is sent, and the refunded tax when the credit note is issued', () => {
    const before = statement(0n, { refund: postProcessing(refund) }).lines[0]
    expect(before).toMatchObject({ buyers: -5_000n, taxes: 0n, fees: 275n, balance: -4_725n })
    const after = statement(0n, { refund: postRefunded(refund) }).lines[0]
    expect(after).toMatchObject({ buyers: -1_050n, taxes: 1_050n, fees: 0n, balance: 0n })
  })

  it('in a statement without entries, the closing balance equals the opening balance', () => {
    expect(statement(500n, {})).toEqual({ currency: 'EUR', opening: 500n, lines: [], closing: 500n })
  })

  it('statementOf throws if the entries of a kind do not sum to zero', () => {
    expect(() => statement(0n, { order: sale.slice(1) })).toThrow('do not sum to zero')
  })
})
