import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OldDatabase, oldDatabase } from '../../testing/old-database.ts'

/** A database from when payouts were entries of the ledger alone. */
const migration = '20261124101402_payouts'
let old: OldDatabase

beforeAll(async () => {
  const before = readdirSync('prisma/migrations').filter((name) => /^\d/.test(name) && name < migration)
  old = await oldDatabase('billhook_payouts', ...before.sort())
  await old.client.query(`
    INSERT INTO merchants VALUES ('merchant_1', 'Lumen', now());
    INSERT INTO storefronts (id, merchant_id, name, created_at) VALUES ('storefront_1', 'merchant_1', 'Lumen', now());
    INSERT INTO ledger_entries (id, transaction_id, storefront_id, testmode, order_id, subject_id, cause, account, currency, amount, created_at)
      SELECT n || account, 'ledger_' || n, 'storefront_1', testmode, NULL, subject, 'payout.created', account, currency,
        CASE account WHEN 'payouts' THEN -amount ELSE amount END, '2026-11-20 10:00Z'
      FROM (VALUES ('1', true, 'payout_000000000000000000000A', 'EUR', 5000),
        ('2', false, 'payout_storefront_1_live_transfer 7', 'USD', 250),
        ('3', true, 'payout_storefront_1_test_', 'EUR', 1)) made (n, testmode, subject, currency, amount),
        (VALUES ('merchant_balance'), ('payouts')) sides (account);
  `)
  await old.migrate(migration)
})
afterAll(() => old.drop())

it('a payout that was booked before is one by hand, with its reference', async () => {
  const { rows } = await old.client.query(
    'SELECT id, testmode, currency, amount::int, status, by_hand, reference, created_at, finished_at FROM payouts ORDER BY id COLLATE "C"',
  )
  const at = new Date('2026-11-20T10:00:00Z')
  const booked = { status: 'paid', by_hand: true, created_at: at, finished_at: at }
  expect(rows).toEqual([
    { ...booked, id: 'payout_000000000000000000000A', testmode: true, currency: 'EUR', amount: 5000, reference: null },
    {
      ...booked,
      id: 'payout_storefront_1_live_transfer 7',
      testmode: false,
      currency: 'USD',
      amount: 250,
      reference: 'transfer 7',
    },
    { ...booked, id: 'payout_storefront_1_test_', testmode: true, currency: 'EUR', amount: 1, reference: '' },
  ])
})
