import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { oldDatabase } from '../lib/testing/old-database.ts'

const name = '20261122160000_one_vocabulary'
const before = readdirSync('prisma/migrations').filter((folder) => /^\d/.test(folder) && folder < name)

it('tables, columns and waiting tasks get their new names and keep their data', async () => {
  const { client, migrate, drop } = await oldDatabase('one_vocabulary', ...before)
  try {
    await client.query(`
      INSERT INTO merchants (id, name, created_at) VALUES ('merchant_1', 'A', now());
      INSERT INTO storefronts (id, merchant_id, name, created_at) VALUES ('storefront_1', 'merchant_1', 'A', now());
      INSERT INTO clocks (storefront_id, frozen_at, advancing_to, driver, driven_until)
        VALUES ('storefront_1', '2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z', 'one', 'infinity');
      INSERT INTO tasks (id, name, key, storefront_id, testmode, clock, data, due_at, ring_at, generation, created_at) VALUES
        ('task_1', 'mail.send', 'mail_1', 'storefront_1', true, 'real', '{}', now(), '2027-03-01T00:00:00Z', 7, now()),
        ('task_2', 'billing.end_verification', 'order_1', 'storefront_1', true, 'storefront', '{}', now(), now(), 0, now()),
        ('task_3', 'refund.send', 'refund_1', 'storefront_1', true, 'real', '{}', now(), now(), 0, now())`)
    await migrate(name)
    const tasks = await client.query('SELECT name, run_at, claim_version FROM tasks ORDER BY id')
    expect(tasks.rows).toMatchObject([
      { name: 'email.send', run_at: new Date('2027-03-01T00:00:00Z'), claim_version: 7 },
      { name: 'billing_update.end_verification' },
      { name: 'refund.send' },
    ])
    const clocks = await client.query('SELECT runner_id, advance_leased_until::text AS until FROM clocks')
    expect(clocks.rows).toEqual([{ runner_id: 'one', until: 'infinity' }])
    const moved = await client.query(`SELECT move_clock('storefront_1', 'one', '2027-01-15T00:00:00Z') AS mine`)
    expect(moved.rows).toEqual([{ mine: true }])
    const tables = await client.query(
      `SELECT count(*)::int AS n FROM billing_update_links, invoice_update_links, emails, payments WHERE billing_update_link_id IS NULL`,
    )
    expect(tables.rows).toEqual([{ n: 0 }])
  } finally {
    await drop()
  }
})
