import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import { statementCsv } from '../modules/ledger/statement.ts'
import { type Role, roles } from '../modules/operators/rules/access.ts'
import { createPayout } from '../modules/payouts/operations.ts'
import { db } from '../platform/db/db.ts'
import { at, form, type Next, newestEntry } from '../testing/admin-forms.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { aReceiver } from '../testing/receiver.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import { drainTasks, ordersOf, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeAll(async () => {
  const operator = await anOperator('trade@example.com')
  cookies = operator.cookies
  receiver = await aReceiver()
})

afterAll(() => receiver.close())

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

/** The browser state after a form: the query and fragment of the redirect, and the cookies. */
const followed = (next: Next, before = cookies) => {
  const url = new URL(next?.redirectTo ?? '', 'http://localhost')
  const left = next?.cookie?.split(';')[0]
  const { pathname: path, searchParams: query, hash } = url
  return { path, query, hash, cookies: left ? `${before}; ${left}` : before }
}

describe('the email kinds', () => {
  const rowOf = async (shop: Shop, kind: string, mode = 'test') =>
    (await admin.emailKindsPage(at(shop, mode), cookies))?.kinds.find((each) => each.kind === kind)
  const submit = async (shop: Shop, fields: Record<string, string>) =>
    followed(await admin.submitEmailKinds(at(shop), form(fields), cookies)).query

  test('switching an email kind off or on takes effect in both modes and adds one audit entry', async () => {
    const shop = await aShop()
    for (const [intent, action, isSent] of [
      ['off', 'email.disable', false],
      ['on', 'email.enable', true],
    ] as const) {
      const { entries } = await verifyAudit()
      expect((await submit(shop, { intent, kind: 'trial_ending' })).get('done')).toBe(intent)
      for (const mode of ['test', 'live'])
        expect(await rowOf(shop, 'trial_ending', mode)).toMatchObject({ isSent, required: null })
      expect(await newestEntry()).toMatchObject({ action, subject: shop.storefrontId, after: { kind: 'trial_ending' } })
      expect((await verifyAudit()).entries).toBe(entries + 1)
    }
  })

  test('a required email kind cannot be disabled, and a form with an unknown email kind or action has no effect', async () => {
    const shop = await aShop()
    const { entries } = await verifyAudit()
    expect((await submit(shop, { intent: 'off', kind: 'receipt' })).get('failed')).toBe('validation_failed')
    expect(await rowOf(shop, 'receipt')).toMatchObject({ isSent: true, required: expect.any(String) })
    for (const fields of [
      { intent: 'off', kind: 'constructor' },
      { intent: 'drop', kind: 'trial_ending' },
    ])
      expect([...(await submit(shop, fields)).keys()]).toEqual([])
    expect((await verifyAudit()).entries).toBe(entries)
  })

  test('the preview of an email is in the requested language and shows the brand of the storefront', async () => {
    const shop = await aShop()
    const fields = { displayName: 'Northwind Tools' }
    await admin.submitBrand(at(shop), { intent: 'save', fields, logo: undefined }, cookies)
    const preview = (language: string | null) => admin.emailPreviewPage(at(shop), 'trial_ending', language, cookies)
    expect(await preview('de')).toMatchObject({ locale: 'de', text: expect.stringContaining('Northwind Tools') })
    expect((await preview('pl'))?.subject).not.toBe((await preview('de'))?.subject)
    for (const other of [null, 'xx']) expect(await preview(other)).toMatchObject({ locale: 'en' })
    expect(await admin.emailPreviewHtml(at(shop), 'trial_ending', 'de', cookies)).toContain('Northwind Tools')
    expect(await admin.emailPreviewPage(at(shop), 'constructor', 'de', cookies)).toBeNull()
  })
})

describe('an export', () => {
  let whole: Shop
  beforeAll(async () => {
    whole = await aWholeShop()
  })

  const read = async (shop: Shop, section: string, filters = {}) => {
    const file = await admin.exportCsv(at(shop), section, new URLSearchParams(filters), cookies)
    const parts: string[] = []
    for await (const part of file?.parts ?? []) parts.push(part)
    return { fileName: file?.fileName, lines: parts.join('').split('\r\n').slice(0, -1) }
  }

  test.each([
    ...['orders', 'refunds', 'subscriptions', 'customers', 'checkouts', 'chargebacks', 'balance', 'payouts', 'emails'],
    ...['catalog', 'endpoints', 'deliveries', 'keys', 'members'],
  ])('the CSV export of %s has the columns of docs/admin-area.md and at least one complete row', async (section) => {
    const { lines, fileName } = await read(whole, section)
    expect(fileName).toBe(`${whole.storefrontId}-test-${section}.csv`)
    expect(lines[0]).toBe(`\ufeff${documented(section).join(',')}`)
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines.slice(1))
      expect(line.split(',').length).toBeGreaterThanOrEqual(lines[0]?.split(',').length ?? 99)
    expect(await newestEntry()).toMatchObject({ action: `export.${section}`, subject: whole.storefrontId })
  })

  test('the CSV file of a statement has the columns of docs/admin-area.md', async () => {
    const [header = ''] = (await statementCsv(whole.scope, '2026')).split('\r\n')
    const documented = readFileSync('docs/admin-area.md', 'utf8').match(/of a statement has the columns ([^.]*)\./)?.[1]
    expect(documented?.match(/(?<=`)\w+(?=`)/g)).toEqual(header.split(','))
  })

  test('the CSV export of an empty list has only the header line, which equals the header line of a list with rows', async () => {
    const empty = await aShop()
    for (const section of [...ofSales, ...ofSetUp]) {
      if (section === 'keys') continue // A new storefront already has keys, so its list of keys is not empty.
      const { lines } = await read(empty, section)
      expect(lines, section).toEqual((await read(whole, section)).lines.slice(0, 1))
    }
  })

  test('an export uses the filter of its list', async () => {
    const count = async (section: string, filters: object) => (await read(whole, section, filters)).lines.length - 1
    expect(await count('orders', { status: 'expired' })).toBe(0)
    expect(await count('orders', { status: 'paid' })).toBe(await count('orders', {}))
    expect(await count('deliveries', { endpoint: 'webhook_0' })).toBe(0)
    expect(await count('customers', { email: 'nobody@example.com' })).toBe(0)
    expect(await count('customers', { email: '\u0000' })).toBe(await count('customers', {}))
    expect(await count('catalog', { kind: 'one_off_product' })).toBe(0)
    expect((await newestEntry())?.after).toEqual({ mode: 'test' })
  })

  test.each(roles)(
    'the role %s can export exactly the lists for which the role has both the list permission and the export permission',
    async (role) => {
      const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: whole.storefrontId } })
      const member = await aMember(`csv-${role}@example.com`, merchant_id, role)
      const allowed: string[] = []
      for (const section of [...ofSales, ...ofSetUp])
        if (await admin.exportCsv(at(whole), section, new URLSearchParams(), member.cookies)) allowed.push(section)
      expect(allowed).toEqual(exportedBy[role])
    },
  )

  test('an export of 450 customers contains each customer once', async () => {
    const shop = await aShop()
    await db().customers.createMany({
      data: Array.from({ length: 450 }, (_, number) => ({
        id: `customer_${String(number).padStart(22, '0')}`,
        storefront_id: shop.storefrontId,
        testmode: true,
        email: `${number}@example.com`,
        created_at: new Date(),
      })),
    })
    const [, ...lines] = (await read(shop, 'customers')).lines
    const ids = lines.map((line) => line.slice(0, line.indexOf(',')))
    expect(ids.sort()).toEqual(
      Array.from({ length: 450 }, (_, number) => `customer_${String(number).padStart(22, '0')}`),
    )
  })

  test('exporting an unknown list returns null', async () => {
    const shop = await aShop()
    for (const section of ['audit', 'constructor', ''])
      expect(await admin.exportCsv(at(shop), section, new URLSearchParams(), cookies), section).toBeNull()
  })
})

/** The columns of a list in docs/admin-area.md. */
const documented = (section: string): string[] => {
  const row = readFileSync('docs/admin-area.md', 'utf8').match(new RegExp(`^\\| ${section} \\| (\`.*) \\|$`, 'm'))
  return row?.[1]?.replaceAll('`', '').split(', ') ?? []
}

const ofSales = [
  ...['orders', 'refunds', 'subscriptions', 'customers', 'checkouts', 'chargebacks', 'balance', 'payouts', 'emails'],
]

const ofSetUp = ['catalog', 'endpoints', 'deliveries', 'keys', 'members']

const exportedBy: Record<Role, string[]> = {
  owner: [...ofSales, ...ofSetUp],
  developer: ['catalog', 'endpoints', 'deliveries', 'keys'],
  support: ['catalog', 'endpoints', 'deliveries'],
  accountant: [...ofSales, 'catalog'],
}

/** A storefront whose lists all have rows. */
async function aWholeShop(): Promise<Shop> {
  const scenario = await subscriptionScenario()
  const { shop } = scenario
  await factories.anEndpoint(scenario.key, receiver.url)
  await factories.pay(scenario.key, await factories.aCheckout(scenario.key, scenario.planId))
  await drainTasks()
  const [order] = await ordersOf(scenario)
  await admin.submitOrder(
    at(shop),
    order.id,
    form({ intent: 'refund', [`amount.${order.lines[0].id}`]: '1.00' }),
    cookies,
  )
  await createPayout(shop.scope, { amount: '1.00' })
  await raise(order.id, { amount: '1.00', reason: 'fraud' })
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  await aMember(`${shop.storefrontId}@example.com`, merchant_id, 'owner')
  await drainTasks()
  return shop
}
