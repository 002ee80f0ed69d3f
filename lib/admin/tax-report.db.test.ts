import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import { statementFor } from '../modules/ledger/statement.ts'
import { db } from '../platform/db/db.ts'
import { copySale } from '../testing/bulk.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aSale, nameTaxId, type Sale } from '../testing/money-back.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { aShop } from '../testing/shop.ts'
import { drainTasks, pass, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { move, raise } from '../workflows/chargeback/operations.ts'
import { createFull } from '../workflows/refund/operations.ts'
import { documentsCsv } from '../workflows/tax-returns/merchant-report.ts'
import * as admin from './pages.ts'

let dutch: Sale
let accountant: string | null
/**
 * Sales in December 2026: 100.00 to the Netherlands, 50.00 and 30.00 to Germany, 10.00 with reverse charge, and 20.00 to
 * France. The sale of 30.00 is refunded, and the dispute about the sale of 20.00 is lost.
 */
beforeAll(async () => {
  dutch = await aSale({ price: '100.00' })
  const { shop } = dutch
  await aSale({ price: '50.00', buyer: { country: 'DE' }, shop })
  const refunded = await aSale({ price: '30.00', buyer: { country: 'DE' }, shop })
  await aSale({ price: '10.00', buyer: { country: 'DE', companyName: 'Bau GmbH', taxId: 'DE123456789' }, shop })
  await createFull(shop.scope, refunded.orderId, { metadata: null })
  await drainTasks()
  await pass(dutch, 'P1D')
  const disputed = await aSale({ price: '20.00', buyer: { country: 'FR' }, shop })
  const { chargebackId } = await raise(disputed.orderId, { reason: 'fraud' })
  await move(chargebackId, 'lost')
  await drainTasks()
  accountant = await accountantOf(dutch)
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

async function accountantOf({ shop: { storefrontId } }: Sale): Promise<string | null> {
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: storefrontId } })
  return (await aMember(`books@${storefrontId.replace('_', '.')}.example.com`, merchant_id, 'accountant')).cookies
}

const at = (mode = 'test') => ({ mode, storefrontId: dutch.shop.storefrontId })
const page = (parameters: Record<string, string> = {}, cookies = accountant) =>
  admin.taxReportPage(at(), parameters, cookies)
async function textOf(file: { parts: AsyncGenerator<string> } | { redirectTo: string } | null) {
  let text = ''
  for await (const part of file && 'parts' in file ? file.parts : []) text += part
  return text
}
const linesOf = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))

describe('the tax report of a merchant', () => {
  test('the tax report has sales less credit notes by country and rate, and its total equals the statement', async () => {
    const report = await page({ period: '2026-Q4' })
    expect(
      report?.rows.map(({ country, kind, total, sales, credited }) => [
        country,
        kind,
        sales.net.value,
        credited.net.value,
        total.net.value,
      ]),
    ).toEqual([
      ['DE', 'abroad', '80.00', '30.00', '50.00'],
      ['DE', 'reverse_charge', '10.00', '0.00', '10.00'],
      ['FR', 'abroad', '20.00', '20.00', '0.00'],
      ['NL', 'domestic', '100.00', '0.00', '100.00'],
    ])
    const tax = report?.totals[0]?.total.tax.value
    expect(report?.totals).toMatchObject([{ currency: 'EUR', ledgerTax: { value: tax }, isEqual: true }])
    const { statements } = await statementFor(dutch.tenant, '2026-Q4')
    const stated = statements[0]?.lines.reduce((sum, { taxes }) => sum + taxes, 0n) ?? 0n
    expect(stated).toBe(-BigInt(String(tax).replace('.', '')))
    expect(report?.statements.map(({ month }) => month)).toEqual(['2026-12'])
    expect(report?.seller).not.toBe('')
  })

  test('a corrected tax ID moves the sale to reverse charge, and the report total equals the statement', async () => {
    const late = await aSale({ price: '40.00', buyer: { country: 'DE' } })
    await nameTaxId(late)
    await drainTasks()
    const place = { mode: 'test', storefrontId: late.shop.storefrontId }
    const report = await admin.taxReportPage(place, { period: '2026-12' }, await accountantOf(late))
    expect(report?.totals.map(({ isEqual }) => isEqual)).toEqual([true])
    expect(report?.rows.map(({ kind, total }) => [kind, total.net.value])).toEqual([
      ['abroad', '0.00'],
      ['reverse_charge', '40.00'],
    ])
  })

  test('the tax documents add up to the tax report, and the audit log has an entry for each export', async () => {
    const report = await page({ period: '2026-Q4' })
    const [header = [], ...lines] = linesOf(await textOf(await admin.exportTaxDocuments(at(), '2026-Q4', accountant)))
    expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'export.tax_documents', after: { period: '2026-Q4' } })
    const sum = (column: string) =>
      lines.reduce((total, cells) => total + Number(cells[header.indexOf(column)]), 0).toFixed(2)
    const total = report?.totals[0]?.total
    expect([sum('net'), sum('tax'), sum('gross')]).toEqual([total?.net.value, total?.tax.value, total?.gross.value])
    const reverse = lines.find((cells) => cells[header.indexOf('reverseCharge')] === 'yes')
    expect(reverse?.[header.indexOf('taxId')]).toBe('DE123456789')
    expect(lines.filter((cells) => cells[header.indexOf('kind')] === 'credit note')).toHaveLength(2)

    const csv = linesOf(await textOf(await admin.exportTaxReport(at(), '2026-Q4', accountant)))
    expect(csv).toHaveLength(1 + 4 + 1)
    expect(csv.at(-1)).toContain(total?.gross.value)
  })

  test('a merchant can create only one tax report at a time, and a second request gets a page that explains the refusal', async () => {
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: dutch.shop.storefrontId } })
    const key = `turn tax report ${merchant_id}`
    await db().rate_limits.create({ data: { key, arrival: new Date(Date.now() + 60_000) } })
    const againUrl = `/admin/test/${dutch.shop.storefrontId}/tax-report?period=2026-Q4`
    const refused = { againUrl, rows: [], totals: [] }
    expect(await page({ period: '2026-Q4' })).toMatchObject(refused)
    expect(await admin.taxReportPage(at('live'), {}, accountant)).toMatchObject({ rows: [] })
    const before = (await auditLog(null, 1))[0]
    const next = await admin.exportTaxReport(at(), '2026-Q4', accountant)
    expect(next).toEqual({ redirectTo: `${againUrl}&refused=busy` })
    expect((await auditLog(null, 1))[0]).toEqual(before)

    await db().rate_limits.deleteMany({ where: { key } })
    expect(await page({ period: '2026-Q4', refused: 'busy' })).toMatchObject(refused)
    for (let reports = 0; reports < 2; reports++)
      expect(await page({ period: '2026-Q4' })).toMatchObject({ againUrl: null, rows: [{}, {}, {}, {}] })
    const both = await Promise.all([page({ period: '2026-Q4' }), page({ period: '2026-12' })])
    expect(both.some((each) => each?.againUrl === null)).toBe(true)
    expect(await db().rate_limits.count({ where: { key } })).toBe(0)
  })

  test('a custom period of the tax report includes its first and last day, and an invalid period is ignored', async () => {
    expect((await page({ from: '2026-12-02', to: '2026-12-02' }))?.rows.map(({ country }) => country)).toEqual(['FR'])
    for (const days of [
      { from: '2026-12-02', to: '2026-12-01' },
      { from: '2020-01-01', to: '2026-12-01' },
      { from: 'x', to: '' },
    ])
      expect(await page(days)).toMatchObject({ problem: 'range', period: '2026-Q4' })
    for (const name of ['2026-Q5', 'x', '2020-01-01--2026-12-01'])
      expect(await admin.exportTaxReport(at(), name, accountant), name).toBeNull()
  })

  test('the export of a list contains only rows of the chosen period', async () => {
    const rows = async (query: Record<string, string>) =>
      linesOf(await textOf(await admin.exportCsv(at(), 'orders', new URLSearchParams(query), accountant))).length - 1
    const all = await rows({})
    const [first, second] = [
      await rows({ from: '2026-12-01', to: '2026-12-01' }),
      await rows({ from: '2026-12-02', to: '2026-12-02' }),
    ]
    expect(first + second).toBe(all)
    expect(second).toBe(2)
    const { url = '' } = (await page())?.exports?.lists[0] ?? {}
    expect(url).toContain('?from=2026-10-01&to=2026-12-31')
    expect(await rows({ from: 'x' })).toBe(all)
  })

  test('the export of tax documents has each document once, even if several queries are necessary', async () => {
    const scenario = await subscriptionScenario({ at: '2026-12-01T00:00:00Z' })
    await copySale(scenario, 1_001)
    const { storefrontId } = scenario.shop
    const documents = await db().orders.findMany({
      where: { storefront_id: storefrontId },
      select: { invoice_number: true },
    })
    const period = { name: '2026-Q4', from: new Date('2026-10-01'), until: new Date('2027-01-01') }
    const parts: string[] = []
    for await (const part of documentsCsv(scenario.shop.scope, period)) parts.push(part)
    // The parts are the header line and the results of three queries of at most 500 documents each.
    expect(parts).toHaveLength(4)
    const [header = [], ...lines] = linesOf(parts.join(''))
    const numbers = lines.map((cells) => cells[header.indexOf('number')])
    expect(numbers).toHaveLength(1_001)
    expect(numbers.sort()).toEqual(documents.map(({ invoice_number }) => invoice_number).sort())
  })

  test('the tax report excludes the other mode and other storefronts, and requires the permission to read the balance', async () => {
    expect(await admin.taxReportPage(at('live'), {}, accountant)).toMatchObject({ rows: [], totals: [] })
    const other = await aShop()
    expect(await admin.taxReportPage({ mode: 'test', storefrontId: other.storefrontId }, {}, accountant)).toBeNull()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: dutch.shop.storefrontId } })
    const support = await aMember('help@example.com', merchant_id, 'support')
    expect(await page({}, support.cookies)).toBeNull()
    expect(await admin.exportTaxDocuments(at(), '2026-Q4', support.cookies)).toBeNull()
  })
})

describe('the tax returns of the seller', () => {
  test('only staff can download the tax returns of a quarter', async () => {
    const { cookies } = await anOperator('returns@example.com')
    const returns = await admin.taxReturnsPage({ quarter: '2026-Q3' }, cookies)
    expect(returns?.files.map(({ file }) => file)).toEqual(['oss', 'oss-portal', 'sales-list', 'totals'])
    const take = (file: string, quarter: string, by: string | null = cookies) =>
      admin.exportTaxReturn({ file, quarter }, by)
    await db().rate_limits.deleteMany({ where: { key: 'turn tax return' } })
    expect(await take('oss', '2026-Q3')).toMatchObject({ fileName: 'oss-2026-Q3.csv' })
    expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'export.tax_return', after: { file: 'oss' } })
    const busy = { redirectTo: '/admin/tax-returns?quarter=2026-Q3&refused=busy' }
    expect(await take('totals', '2026-Q3')).toEqual(busy)
    expect((await admin.taxReturnsPage({ quarter: '2026-Q3', refused: 'busy' }, cookies))?.problem).toBe('busy')
    for (const [file, quarter] of [
      ['oss', '2026'],
      ['nothing', '2026-Q3'],
    ] as const)
      expect(await take(file, quarter)).toBeNull()
    expect(await take('oss', '2026-Q3', accountant)).toBeNull()
    expect(await admin.taxReturnsPage({}, accountant)).toBeNull()
  })

  test('the page of tax returns states why the file for the tax portal was refused', async () => {
    const { cookies } = await anOperator('portal@example.com')
    await db().rate_limits.deleteMany({ where: { key: 'turn tax return' } })
    const next = await admin.exportTaxReturn({ file: 'oss-portal', quarter: '2026-Q3' }, cookies)
    if (!next || !('redirectTo' in next)) throw new Error('the file was made')
    const { searchParams } = new URL(next.redirectTo, 'http://localhost')
    const left = `${cookies}; ${next.cookie?.split(';')[0]}`
    const problem = async (parameters: Record<string, string>, as = left) =>
      (await admin.taxReturnsPage(parameters, as))?.problem
    expect(await problem(Object.fromEntries(searchParams))).toContain('registration')
    expect(await problem({ quarter: '2026-Q3', refused: 'oss-portal' })).toBeNull()
    expect(await problem({ quarter: '2026-Q3', form: searchParams.get('form') ?? '' }, cookies ?? '')).toBeNull()
  })
})
