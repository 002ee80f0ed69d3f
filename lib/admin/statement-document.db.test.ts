import { expect, it } from 'vitest'
import texts from '../../messages/admin/de.json' with { type: 'json' }
import { findStorefront } from '../modules/accounts/store.ts'
import { statementFor, statementRows } from '../modules/ledger/statement.ts'
import { createPayout, movePayout } from '../modules/payouts/operations.ts'
import { db } from '../platform/db/db.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aSale, balanceOf } from '../testing/money-back.ts'
import { drainTasks } from '../testing/subscription-scenario.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import { statementDocument } from './statement-document.ts'

it('the PDF of a statement has the same figures as the ledger and the CSV', async () => {
  const sale = await aSale({ price: '33.33' })
  const { shop, tenant } = sale
  const second = await aSale({ price: '99.99', shop })
  await raise(second.orderId, { amount: '12.34', reason: 'fraud' })
  await drainTasks()
  await createPayout(tenant, { amount: '20.01' })
  const back = await createPayout(tenant, { amount: '5.55' })
  await movePayout(tenant, back.payoutId, 'return')

  const storefront = await findStorefront(db(), shop.storefrontId)
  if (!storefront) throw new Error('no storefront')
  const now = new Date('2026-12-02T10:00:00Z')
  const document = await statementDocument(
    { storefront, tenant, language: 'en' },
    await statementFor(tenant, '2026-12'),
    now,
  )
  expect(document.tables).toHaveLength(1)
  const cents = (cell = '') => BigInt(cell.replaceAll(/[^\d-]/g, '') || '0')
  const figures = document.tables[0]?.rows.map(({ cells }) => cells.map(cents)) ?? []
  const balances = figures.map((cells) => cells.at(-1) ?? 0n)
  const [lines, closing] = [balances.slice(0, -1), balances.at(-1)]
  expect(lines.reduce((total, each) => total + each, 0n)).toBe(closing)
  expect(closing).toBe(-cents((await balanceOf(sale)).merchant_balance))
  for (const [, , buyers = 0n, taxes = 0n, fees = 0n, balance] of figures.slice(1, -1).filter((row) => row[2] !== 0n))
    expect(buyers + taxes + fees).toBe(balance)

  const german = await statementDocument(
    { storefront, tenant, language: 'de' },
    await statementFor(tenant, '2026-12'),
    now,
  )
  expect(german).toMatchObject({ locale: 'de', heading: texts.balance.statement.document.heading })
  expect(document.title).toBe('Statement December 2026')
  expect(german.title).toBe('Abrechnung Dezember 2026')
  expect(german.facts[0]?.value).toBe('Dezember 2026')
  expect(german.tables[0]?.rows.map(({ cells }) => cells.slice(2).map(cents))).toEqual(
    document.tables[0]?.rows.map(({ cells }) => cells.slice(2).map(cents)),
  )
  expect(german.tables[0]?.rows.at(-1)?.cells.at(-1)).toMatch(/,\d\d/)

  const rows = await statementRows(tenant, '2026-12')
  expect(balances).toEqual(rows.map(({ balance }) => cents(balance)))
  expect(figures.slice(1, -2).map((row) => row.slice(2, 5))).toEqual(
    rows.slice(1, -2).map(({ buyers, taxes, fees }) => [buyers, taxes, fees].map((each) => cents(each ?? ''))),
  )
  expect(document.facts).toContainEqual({ label: 'As of', value: expect.stringContaining('2026') })
  expect(await brokenInvariants()).toEqual({})
})
