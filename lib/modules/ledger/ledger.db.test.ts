import pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Currency, sum } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { barrier } from '../../testing/barrier.ts'
import { configure } from '../../testing/configure.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, balanceOf, type Sale } from '../../testing/money-back.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks } from '../../testing/scenarios.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { createFull } from '../../workflows/refund/operations.ts'
import { transact } from '../events/transact.ts'
import { createPayout } from '../payouts/operations.ts'
import { balance, listEntries } from './operations.ts'
import { post } from './post.ts'
import { type Account, entries } from './rules/account.ts'
import { insertEntries } from './store.ts'

// The number of concurrent calls, each of which needs its own database connection.
const racing = 24
configure({ DATABASE_POOL: String(racing + 8) })

const accounts = [
  'provider_clearing',
  'merchant_balance',
  'tax_payable',
  'platform_fee',
  'refunds',
  'chargebacks',
  'provider_fees',
  'payouts',
] as const satisfies readonly Account[]

let shop: Shop
beforeEach(async () => {
  shop = await aShop()
})

const write = (
  tenant: Tenant,
  subjectId: string,
  moved: readonly [account: Account, amount: bigint, currency?: Currency][],
) =>
  db().$transaction((sql) =>
    insertEntries(
      sql,
      tenant,
      moved.map(([account, amount, currency = 'EUR'], index) => ({
        id: `entry_${subjectId}_${index}`,
        transactionId: `ledger_${subjectId}`,
        subjectId,
        orderId: null,
        cause: 'order.paid',
        account,
        currency,
        amount,
        createdAt: new Date('2026-12-01T00:00:00Z'),
      })),
    ),
  )

const kept = ({ storefrontId }: Tenant) =>
  Promise.all([
    db().ledger_entries.findMany({ where: { storefront_id: storefrontId }, orderBy: { id: 'asc' } }),
    db().ledger_accounts.findMany({ where: { storefront_id: storefrontId }, orderBy: { account: 'asc' } }),
  ])

// These tests run before the tests with invented postings, which make ledger and sales disagree.
describe('payouts', () => {
  let sale: Sale
  beforeEach(async () => {
    sale = await aSale({ price: '100.00' })
  })

  const sentence = (amount: string, currency = 'EUR') => `Must be at most the balance, ${amount} ${currency}.`

  it('a payout of the whole balance is accepted, and a payout of one cent more is refused', async () => {
    expect(await createPayout(sale.tenant, { amount: '50.00' })).toEqual({
      payoutId: expect.stringMatching(/^payout_[0-9A-Za-z]{22}$/),
      currency: 'EUR',
      amount: '50.00',
      balance: '44.50',
      isNew: true,
    })
    await expect(createPayout(sale.tenant, { amount: '44.51' })).rejects.toMatchObject({
      code: 'validation_failed',
      on: { amount: [sentence('44.50')] },
    })
    expect(await createPayout(sale.tenant, { amount: '44.50' })).toMatchObject({ balance: '0.00' })
    await expect(createPayout(sale.tenant, { amount: '0.01' })).rejects.toMatchObject({
      on: { amount: [sentence('0.00')] },
    })
    expect(await balanceOf(sale)).toMatchObject({ payouts: '-94.50' })
    expect(await balanceOf(sale)).not.toHaveProperty('merchant_balance')
    expect(await brokenInvariants()).toEqual({})
  })

  it('a payout of an invalid amount is refused', async () => {
    const before = await listEntries(sale.tenant)
    // biome-ignore format: one line of invalid amounts
    for (const amount of ['0.00', '-1.00', '1', '1.0', '1.000', '1,00', '1e1.00', '', ' 1.00', 'all', '99999999999999999999.00'])
      await expect(createPayout(sale.tenant, { amount }), amount).rejects.toMatchObject({ on: { amount: [expect.any(String)] } })
    expect(await listEntries(sale.tenant)).toEqual(before)
  })

  it('a payout with a reference is posted exactly once, even if it is requested repeatedly', async () => {
    const asked = { amount: '40.00', reference: 'transfer 7' }
    const first = await createPayout(sale.tenant, asked)
    expect(first).toMatchObject({ amount: '40.00', balance: '54.50' })
    expect(await createPayout(sale.tenant, asked)).toEqual({ ...first, isNew: false })
    await expect(createPayout(sale.tenant, { ...asked, amount: '41.00' })).rejects.toMatchObject({
      on: { reference: ['Must be unique: a different payout has this reference.'] },
    })
    const live = { ...sale.tenant, testmode: false }
    await expect(createPayout(live, asked)).rejects.toMatchObject({ on: { amount: [sentence('0.00')] } })
    expect(await createPayout(sale.tenant, { ...asked, reference: 'transfer 8' })).toMatchObject({ balance: '14.50' })
    expect(await brokenInvariants()).toEqual({})
  })

  it('concurrent payouts do not spend the same balance twice', async () => {
    const hold = {
      sql: `SELECT 1 FROM ledger_accounts WHERE storefront_id = $1 AND account = 'merchant_balance' FOR UPDATE`,
      values: [sale.tenant.storefrontId],
    }
    const payouts = Array.from({ length: 6 }, () => () => createPayout(sale.tenant, { amount: '40.00' }))
    const ends = await raceBehind(hold, payouts)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    for (const { on } of refused) expect(on).toEqual({ amount: [sentence('14.50')] })
    expect(await balanceOf(sale)).toMatchObject({ merchant_balance: '-14.50', payouts: '-80.00' })
    expect(await brokenInvariants()).toEqual({})
  })

  it.each([0, 1])(
    'a payout and a concurrent refund of the whole balance cannot both take effect, whichever starts first (case %i)',
    async (first) => {
      const { id } = await createFull(sale.tenant, sale.orderId, {})
      await advanceWithoutTasks(sale, { minutes: 1 })
      const hold = {
        sql: `SELECT 1 FROM ledger_accounts WHERE storefront_id = $1 AND account = 'merchant_balance' FOR UPDATE`,
        values: [sale.tenant.storefrontId],
      }
      const racers: (() => Promise<unknown>)[] = [
        () => runDueTasks(),
        () => createPayout(sale.tenant, { amount: '94.50' }).catch((error) => error),
      ]
      const ends = await raceBehind(hold, first ? racers.reverse() : racers)
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      const { status } = await get(sale.key, `/v1/refunds/${id}`)
      const { payouts = '0.00' } = await balanceOf(sale)
      expect([
        ['refunded', '0.00'],
        ['queued', '-94.50'],
      ]).toContainEqual([status, payouts])
      expect(await brokenInvariants()).toEqual({})
    },
  )

  it('a payout is refused for an unknown storefront, and changes only the balance of its mode and currency', async () => {
    const unknown = { storefrontId: 'storefront_nothing', testmode: true }
    for (const asked of [
      () => createPayout(unknown, { amount: '1.00' }),
      () => balance(unknown),
      () => listEntries(unknown),
    ])
      await expect(asked()).rejects.toMatchObject({ on: { storefront: ['There is no storefront with this id.'] } })
    const live = { ...sale.tenant, testmode: false }
    await expect(createPayout(live, { amount: '1.00' })).rejects.toMatchObject({ on: { amount: [sentence('0.00')] } })
    await expect(createPayout(sale.tenant, { amount: '1.00', currency: 'USD' })).rejects.toMatchObject({
      on: { amount: [sentence('0.00', 'USD')] },
    })
    await expect(createPayout(shop.scope, { amount: '1.00' })).rejects.toMatchObject({
      on: { amount: [sentence('0.00')] },
    })
    expect([await balance(live), await listEntries(live), await balance(shop.scope)]).toEqual([[], [], []])

    const moved = entries({ provider_clearing: 1_000n, merchant_balance: -1_000n })
    const sold = {
      subjectId: 'order_live',
      cause: 'order.paid',
      orderId: null,
      currency: 'EUR' as const,
      entries: moved,
    }
    await transact(live, (tx) => post(tx, [sold]))
    expect(await createPayout(live, { amount: '10.00' })).toMatchObject({ balance: '0.00' })
    expect((await listEntries(live)).map(({ cause }) => cause)).toEqual([
      'payout.created',
      'payout.created',
      'order.paid',
      'order.paid',
    ])
    expect(await createPayout(sale.tenant, { amount: '94.50' })).toMatchObject({ balance: '0.00' })
  })
})

it('all ledger entries of a storefront are listed, and their sums equal the account balances', async () => {
  for (let n = 10; n < 40; n++)
    await write(shop.scope, `order_${n}`, [
      ['provider_clearing', 121n],
      ['merchant_balance', -121n],
    ])
  const all = await listEntries(shop.scope)
  expect(all).toHaveLength(60)
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .sort()
      .reverse(),
  )
  expect(all.filter(({ amount }) => amount === '-1.21')).toHaveLength(30)
  expect(await balance(shop.scope)).toMatchObject([{ amount: '-36.30' }, { amount: '36.30' }])
  expect(await listEntries(shop.scope, { limit: 3 })).toEqual(all.slice(0, 3))
})

describe('database constraints', () => {
  it.each<[string, [Account, bigint, Currency?][]]>([
    ['a posting with one side only', [['provider_clearing', 121n]]],
    [
      'a posting whose sides differ by one cent',
      [
        ['provider_clearing', 121n],
        ['merchant_balance', -120n],
      ],
    ],
    [
      'a posting whose sides have different currencies',
      [
        ['provider_clearing', 121n, 'EUR'],
        ['merchant_balance', -121n, 'USD'],
      ],
    ],
    [
      'a posting on an unknown account',
      [
        ['pockets' as Account, 121n],
        ['merchant_balance', -121n],
      ],
    ],
  ])('the database refuses %s and stores nothing', async (_, moved) => {
    await expect(write(shop.scope, 'order_1', moved)).rejects.toThrow(/does not sum to zero|ledger_entries_account/)
    expect(await kept(shop.scope)).toEqual([[], []])
  })

  it('the database refuses a further entry that makes the sum of a committed posting nonzero', async () => {
    await write(shop.scope, 'order_2', [
      ['provider_clearing', 5n],
      ['merchant_balance', -5n],
    ])
    const before = await kept(shop.scope)
    const more = db().$executeRaw`
      INSERT INTO ledger_entries SELECT 'entry_more', transaction_id, storefront_id, testmode, order_id, 'order.late', 'refunds', currency, 1, created_at, subject_id
      FROM ledger_entries WHERE subject_id = 'order_2' LIMIT 1`
    await expect(more).rejects.toThrow('does not sum to zero')
    expect(await kept(shop.scope)).toEqual(before)
  })

  it('the database refuses an unbalanced ledger entry even if a temporary table is also named ledger_entries', async () => {
    const own = new pg.Client({ connectionString: process.env.DATABASE_URL })
    await own.connect()
    try {
      await own.query('CREATE TEMP TABLE ledger_entries (LIKE public.ledger_entries)')
      const alone = own.query(
        `INSERT INTO public.ledger_entries (id, transaction_id, storefront_id, testmode, subject_id, cause, account, currency, amount, created_at)
         VALUES ('entry_alone', 'ledger_alone', $1, true, 'order_4', 'order.paid', 'merchant_balance', 'EUR', 5, now())`,
        [shop.storefrontId],
      )
      await expect(alone).rejects.toThrow('does not sum to zero')
    } finally {
      await own.end()
    }
    expect(await kept(shop.scope)).toEqual([[], []])
  })

  it('the database refuses every UPDATE, DELETE, and TRUNCATE of ledger entries, even by the owner of the table', async () => {
    expect(
      await db()
        .$queryRaw`SELECT tableowner = current_user AS "isOwner" FROM pg_tables WHERE tablename = 'ledger_entries'`,
    ).toEqual([{ isOwner: true }])
    await write(shop.scope, 'order_3', [
      ['provider_clearing', 7n],
      ['merchant_balance', -7n],
    ])
    const before = await kept(shop.scope)
    const statements = {
      UPDATE: [
        `UPDATE ledger_entries SET amount = amount * 2 WHERE subject_id = 'order_3'`,
        `UPDATE ledger_entries SET created_at = now() WHERE false`,
        `INSERT INTO ledger_entries SELECT * FROM ledger_entries WHERE subject_id = 'order_3'
          ON CONFLICT (id) DO UPDATE SET amount = 0`,
      ],
      DELETE: [`DELETE FROM ledger_entries WHERE subject_id = 'order_3'`, 'DELETE FROM ledger_entries WHERE false'],
      TRUNCATE: ['TRUNCATE ledger_entries', 'TRUNCATE ledger_entries, ledger_accounts RESTART IDENTITY CASCADE'],
    }
    for (const [operation, each] of Object.entries(statements)) {
      for (const statement of each)
        await expect(db().$executeRawUnsafe(statement), statement).rejects.toThrow(
          `ledger entries are append-only: ${operation} is refused`,
        )
    }
    await expect(db().ledger_entries.deleteMany()).rejects.toThrow('append-only')
    await expect(db().ledger_entries.updateMany({ data: { amount: 0n } })).rejects.toThrow('append-only')
    expect(await kept(shop.scope)).toEqual(before)
  })

  it('the database refuses a second posting with the cause and subject of an earlier posting', async () => {
    const moved = entries({ provider_clearing: 9n, merchant_balance: -9n })
    const booking = {
      subjectId: 'order_4',
      cause: 'order.paid',
      orderId: null,
      currency: 'EUR' as const,
      entries: moved,
    }
    await transact(shop.scope, (tx) => post(tx, [booking]))
    const before = await kept(shop.scope)
    const again = transact(shop.scope, (tx) => post(tx, [booking]))
    await expect(again).rejects.toThrow('ledger_entries_subject_id_cause_account_key')
    await expect(
      write(shop.scope, 'order_4', [
        ['provider_clearing', 3n],
        ['refunds', -3n],
      ]),
    ).rejects.toThrow(/unique/i)
    expect(await kept(shop.scope)).toEqual(before)
    await transact(shop.scope, (tx) => post(tx, [{ ...booking, cause: 'chargeback.received' }]))
    expect(await balance(shop.scope)).toContainEqual({ account: 'merchant_balance', currency: 'EUR', amount: '-0.18' })
  })
})

it('account balances equal the sums of their entries after concurrent postings', async () => {
  const others = [{ storefrontId: shop.storefrontId, testmode: false }, (await aShop()).scope]
  const at = barrier(racing)
  const booked = Array.from({ length: racing }, (_, n) => {
    const tenant = [shop.scope, shop.scope, ...others][n % 4] ?? shop.scope
    const currency = n % 3 ? ('EUR' as const) : ('USD' as const)
    const amounts = accounts.map((_, index) => BigInt((index * 7 + n) % 5) * 100n + BigInt(n))
    const total = sum(amounts.slice(1))
    const moved = Object.fromEntries(
      accounts.map((account, index) => [account, index ? (amounts[index] ?? 0n) : -total]),
    )
    const bookings = [1, 2].map((part) => ({
      subjectId: `order_${n}_${part}`,
      cause: 'order.paid',
      orderId: null,
      currency,
      entries: entries(moved),
    }))
    return transact(tenant, async (tx) => {
      await at()
      await post(tx, n % 2 ? bookings : bookings.slice(0, 1))
      await post(tx, n % 2 ? [] : bookings.slice(1))
    })
  })
  await Promise.all(booked)
  const summed = await db().$queryRaw`
    SELECT storefront_id, testmode, currency, account, sum(amount)::bigint AS amount, count(*)::int AS entries FROM ledger_entries
    WHERE subject_id ~ '^order_[0-9]+_[12]$' GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`
  const ids = [shop.storefrontId, ...others.map(({ storefrontId }) => storefrontId)]
  const running = await db().$queryRaw<{ amount: bigint }[]>`
    SELECT storefront_id, testmode, currency, account, amount FROM ledger_accounts WHERE storefront_id = ANY(${ids}) ORDER BY 1, 2, 3, 4`
  expect(running).toHaveLength(3 * 2 * accounts.length)
  expect(summed).toMatchObject(running)
  expect(sum((summed as { entries: number }[]).map(({ entries }) => BigInt(entries)))).toBeGreaterThan(300n)
  expect(sum(running.map(({ amount }) => amount))).toBe(0n)
})
