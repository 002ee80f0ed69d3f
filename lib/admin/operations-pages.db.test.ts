import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  POST as exportRoute,
  GET as getData,
} from '../../app/(admin)/admin/(signed-in)/(service)/export/customers/[id]/route.ts'
import { auditLog, verifyAudit } from '../modules/audit/operations.ts'
import { changeAccount } from '../modules/payouts/accounts.ts'
import { newestPayouts } from '../modules/payouts/store.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { allRows } from '../testing/all-rows.ts'
import * as factories from '../testing/factories.ts'
import { aMember, anOperator, freshCodeOf } from '../testing/operator.ts'
import { raceBehind } from '../testing/race-behind.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import { subscriptionScenario } from '../testing/subscription-scenario.ts'
import {
  downloadPayoutFile,
  exportCustomerData,
  payoutFilesPage,
  personalDataPage,
  providerAccountsPage,
  registrationsPage,
  submitPayoutFiles,
  submitPersonalData,
  submitRegistrations,
} from './pages.ts'

let shop: Shop
let operatorId: string
let cookies: string | null
let stranger: string | null
beforeAll(async () => {
  shop = await aShop({ name: 'Lumen' })
  ;({ operatorId, cookies } = await anOperator('operations@example.com'))
  const { merchant_id: id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  stranger = (await aMember('operations-owner@example.com', id, 'owner')).cookies
})
afterEach(async () => expect((await verifyAudit()).brokenAt).toBeNull())

const form = (intent: string, fields: Record<string, string> = {}) =>
  new URLSearchParams({ key: crypto.randomUUID(), intent, ...fields })
const formOf = (next: { redirectTo: string; cookie?: string } | null) => ({
  form: new URL(next?.redirectTo ?? '', 'http://localhost').searchParams.get('form'),
  cookies: `${cookies}; ${next?.cookie?.split(';')[0]}`,
})
const newest = async () => (await auditLog(null, 1))[0]
const textOf = async (file: Awaited<ReturnType<typeof downloadPayoutFile>>) => {
  if (!file || !('parts' in file)) throw new Error('there is no file')
  const parts: string[] = []
  for await (const part of file.parts) parts.push(part)
  return { fileName: file.fileName, text: parts.join('') }
}
/** Moves the last check of a second-factor code an hour into the past, so that the next action needs a new code. */
const letCodesAge = () =>
  db().operator_sessions.updateMany({
    where: { operator_id: operatorId },
    data: { verified_at: new Date(Date.now() - 3_600_000), confirmed_at: null },
  })
const confirmAgain = () =>
  db().operator_sessions.updateMany({ where: { operator_id: operatorId }, data: { confirmed_at: new Date() } })

describe('the personal data of a customer', () => {
  test('staff find a customer of any storefront by email address or id, and an export of the customer’s data adds an audit entry', async () => {
    const other = await aShop({ name: 'Another' })
    const email = 'found@example.com'
    const { id } = await factories.aCustomer(shop.testKey, { email })
    await factories.aCustomer(other.liveKey, { email })
    const find = async (q: string) => {
      const next = await submitPersonalData(form('find', { q }), cookies)
      const { form: id, cookies: by } = formOf(next)
      expect(next?.redirectTo).toBe(`/admin/personal-data?form=${id}`)
      return personalDataPage({ form: id }, by)
    }
    const byEmail = await find(' Found@EXAMPLE.com ')
    expect(byEmail?.q).toBe('Found@EXAMPLE.com')
    expect(byEmail?.found?.map(({ storefront, mode }) => `${storefront} ${mode}`).sort()).toEqual(
      ['Another live', 'Lumen test'].sort(),
    )
    expect((await find(id))?.found?.map((each) => each.id)).toEqual([id])
    for (const q of ['nobody', 'nobody@example.com', 'customer_x']) expect((await find(q))?.found).toEqual([])
    expect((await personalDataPage({ customer: id }, cookies))?.customer).toMatchObject({ email, obstacles: [] })
    expect((await personalDataPage({ customer: 'customer_x' }, cookies))?.customer).toBeNull()

    const { fileName, text } = await textOf(await exportCustomerData(id, cookies))
    expect(fileName).toBe(`${id}.json`)
    expect(JSON.parse(text)).toMatchObject({ customer: { id, email } })
    expect(await newest()).toMatchObject({ action: 'customer.export', subject: id, actor: { id: operatorId } })
    expect(await exportCustomerData('customer_x', cookies)).toBeNull()
  })

  test('an export of personal data without a recent second-factor code redirects to the page that asks for a code', async () => {
    const { id } = await factories.aCustomer(shop.testKey, { email: 'recent@example.com' })
    await letCodesAge()
    const next = await exportCustomerData(id, cookies)
    expect(next).toMatchObject({ redirectTo: expect.stringMatching(/^\/admin\/confirm\?to=/) })
    await confirmAgain()
    expect(await exportCustomerData(id, cookies)).toMatchObject({ fileName: `${id}.json` })
  })

  test('the route that exports personal data sends uncached JSON, and refuses requests from other sites', async () => {
    const { id } = await factories.aCustomer(shop.testKey, { email: 'route@example.com' })
    const context = { params: Promise.resolve({ id }) }
    const post = (origin: string) =>
      exportRoute(
        new Request('http://localhost:3000/admin', { method: 'POST', headers: { origin, cookie: cookies ?? '' } }),
        context,
      )
    const sent = await post(config().publicBaseUrl)
    expect([sent.status, sent.headers.get('content-type'), sent.headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'no-store',
    ])
    expect((await post('https://evil.example')).status).toBe(403)
    expect((await getData(new Request('http://localhost:3000/admin'), context)).status).toBe(303)
  })

  test('erasing a customer needs a checked box and a second-factor code and adds an audit entry, and a second click also leads to the success page', async () => {
    const { id } = await factories.aCustomer(shop.testKey, { email: 'erased@example.com', name: 'Ada' })
    const unticked = formOf(
      await submitPersonalData(form('erase', { customer: id, code: await freshCodeOf(cookies) }), cookies),
    )
    expect((await personalDataPage({ customer: id, form: unticked.form }, unticked.cookies))?.problems).toEqual({
      confirmed: 'Must be ticked: an erasure cannot be undone.',
    })
    const wrong = formOf(
      await submitPersonalData(form('erase', { customer: id, confirmed: 'yes', code: '000000' }), cookies),
    )
    expect(Object.keys((await personalDataPage({ form: wrong.form }, wrong.cookies))?.problems ?? {})).toEqual(['code'])
    expect((await personalDataPage({ customer: id }, cookies))?.customer?.email).toBe('erased@example.com')

    const sent = form('erase', { customer: id, confirmed: 'yes', code: await freshCodeOf(cookies) })
    for (let clicks = 0; clicks < 2; clicks++)
      expect(await submitPersonalData(sent, cookies)).toEqual({
        redirectTo: `/admin/personal-data?customer=${id}&done=erased`,
      })
    expect(await newest()).toMatchObject({ action: 'customer.erase', subject: id, actor: { id: operatorId } })
    const erased = (await personalDataPage({ customer: id }, cookies))?.customer
    expect(erased?.erasedAt).not.toBeNull()
    expect(JSON.stringify(erased)).not.toContain('erased@example.com')
  })

  test('a customer with an active subscription cannot be erased, and the page names the subscription', async () => {
    const scenario = await subscriptionScenario()
    const { customer_id: id } = await db().subscriptions.findUniqueOrThrow({ where: { id: scenario.id } })
    expect((await personalDataPage({ customer: id }, cookies))?.customer?.obstacles).toEqual([
      { kind: 'subscriptions', id: scenario.id, status: 'active' },
    ])
    const sent = form('erase', { customer: id, confirmed: 'yes', code: await freshCodeOf(cookies) })
    const refused = formOf(await submitPersonalData(sent, cookies))
    const problems = (await personalDataPage({ customer: id, form: refused.form }, refused.cookies))?.problems
    expect(problems?.customer).toContain(scenario.id)
  })
})

describe('the tax registrations', () => {
  test('two clicks on the form add one tax registration, and adding and ending a registration each write one audit entry', async () => {
    const sent = form('add', { country: 'gb', number: 'GB 123 4567 82', from: '2026-01-01', until: '', region: '' })
    const { entries } = await verifyAudit()
    for (let clicks = 0; clicks < 2; clicks++)
      expect(await submitRegistrations(sent, cookies)).toEqual({ redirectTo: '/admin/registrations?done=added' })
    const [added, ...others] = (await registrationsPage(null, cookies))?.registrations ?? []
    expect(others).toEqual([])
    expect(added).toMatchObject({ country: 'GB', scheme: 'local', until: null, hasEnded: false })
    expect(await newest()).toMatchObject({ action: 'registration.add', subject: added?.id, actor: { id: operatorId } })
    expect((await verifyAudit()).entries).toBe(entries + 1)
    const end = form('end', { id: added?.id ?? '', until: '2026-06-30' })
    expect(await submitRegistrations(end, cookies)).toEqual({ redirectTo: '/admin/registrations?done=ended' })
    expect((await registrationsPage(null, cookies))?.registrations[0]).toMatchObject({
      until: '2026-06-30',
      hasEnded: true,
    })
    expect(await newest()).toMatchObject({
      action: 'registration.end',
      subject: added?.id,
      actor: { id: operatorId },
      before: { until: null },
      after: { until: '2026-06-30' },
    })
    expect((await verifyAudit()).entries).toBe(entries + 2)
    expect((await submitRegistrations(form('end', { id: 'x', until: '2026-06-30' }), cookies))?.redirectTo).toMatch(
      /failed=not_found/,
    )
    expect((await verifyAudit()).entries).toBe(entries + 2)
  })

  test('two simultaneous clicks on the same form add one tax registration, and both clicks lead to the success page', async () => {
    const before = await db().tax_registrations.count()
    const sent = form('add', { country: 'ch', number: 'CHE-107.787.577', from: '2026-01-01' })
    const click = () => submitRegistrations(sent, cookies)
    const lock = { sql: "SELECT pg_advisory_xact_lock(hashtext('tax_registrations'))" }
    const clicks = await raceBehind(lock, [click, click])
    const value = { redirectTo: '/admin/registrations?done=added' }
    expect(clicks).toEqual([1, 2].map(() => ({ status: 'fulfilled', value })))
    expect(await db().tax_registrations.count()).toBe(before + 1)
  })

  test('an invalid tax registration is not stored, and the form shows the entered values and the problems', async () => {
    const before = await db().tax_registrations.count()
    const sent = form('add', { country: 'xx', number: '', from: 'soon', scheme: 'other' })
    const next = formOf(await submitRegistrations(sent, cookies))
    const page = await registrationsPage(next.form, next.cookies)
    expect(Object.keys(page?.problems ?? {}).sort()).toEqual(['country', 'from', 'number', 'scheme'])
    expect(page?.typed).toMatchObject({ country: 'xx', from: 'soon' })
    const wrong = form('add', { country: 'GB', number: 'GB123456789', from: '2026-01-01' })
    const again = formOf(await submitRegistrations(wrong, cookies))
    expect((await registrationsPage(again.form, again.cookies))?.problems).toEqual({
      number: 'Must be a VAT ID in the format of its country with valid check digits, such as NL000099998B57.',
    })
    expect(await db().tax_registrations.count()).toBe(before)
  })
})

describe('the bank file of payouts', () => {
  const aPayout = (n: number) => db().$executeRaw`
    INSERT INTO payouts (id, storefront_id, testmode, currency, amount, status, by_hand, created_at)
    VALUES (${`payout_${String(n).padStart(22, '0')}`}, ${shop.storefrontId}, false, 'EUR', 1250, 'requested', false, now())`

  test('staff create a bank file with a second-factor code, download the file, and mark its payouts as paid', async () => {
    const nothing = await submitPayoutFiles(form('make', { code: await freshCodeOf(cookies) }), cookies)
    const refused = formOf(nothing)
    expect((await payoutFilesPage(refused.form, refused.cookies))?.problems.payouts).toBe(
      'There is no requested payout.',
    )

    const tenant = { storefrontId: shop.storefrontId, testmode: false }
    await changeAccount(tenant, { holder: 'Lumen B.V.', iban: 'NL91ABNA0417164300' })
    await db()
      .$executeRaw`UPDATE payout_accounts SET created_at = now() - interval '9 days', valid_from = now() - interval '2 days'`
    for (const n of [1, 2]) await aPayout(n)
    expect(await payoutFilesPage(null, cookies)).toMatchObject({
      count: 2,
      files: [],
      waiting: [
        {
          storefront: 'Lumen',
          amount: { value: '12.50', currency: 'EUR' },
          url: `/admin/live/${shop.storefrontId}/balance`,
        },
        {},
      ],
    })
    const suspend = (at: Date | null) =>
      db().storefronts.update({
        where: { id: shop.storefrontId },
        data: { suspended_at: at, suspended_reason: at && 'Fraud' },
      })
    await suspend(new Date())
    expect(await payoutFilesPage(null, cookies)).toMatchObject({ waiting: [], count: 0, suspended: 2 })
    await suspend(null)
    expect(await payoutFilesPage(null, cookies)).toMatchObject({ count: 2, suspended: 0 })
    expect((await submitPayoutFiles(form('make', { code: '000000' }), cookies))?.redirectTo).toMatch(/#problems$/)
    const sent = form('make', { code: await freshCodeOf(cookies) })
    for (let clicks = 0; clicks < 2; clicks++)
      expect(await submitPayoutFiles(sent, cookies)).toEqual({ redirectTo: '/admin/payout-files?done=made' })
    expect(await newest()).toMatchObject({ action: 'payout.export', actor: { id: operatorId } })
    const again = form('make', { code: await freshCodeOf(cookies) })
    expect((await submitPayoutFiles(again, cookies))?.redirectTo).toBe('/admin/payout-files?done=madeBefore')

    const page = await payoutFilesPage(null, cookies)
    const [file, ...others] = page?.files ?? []
    expect([page?.waiting, others]).toEqual([[], []])
    expect(file).toMatchObject({ count: 2, open: 2, total: { value: '25.00', currency: 'EUR' } })
    const { fileName, text } = await textOf(await downloadPayoutFile(file?.id ?? '', cookies))
    expect(fileName).toBe(`${file?.reference}.xml`)
    expect(text).toContain(`<MsgId>${file?.reference}</MsgId>`)
    expect(await newest()).toMatchObject({ action: 'payout.download', subject: file?.id })
    expect(await downloadPayoutFile('payout_batch_x', cookies)).toBeNull()

    const paid = () => form('paid', { id: file?.id ?? '' })
    expect(await submitPayoutFiles(paid(), cookies, 1)).toEqual({ redirectTo: '/admin/payout-files?done=paidPart' })
    expect((await payoutFilesPage(null, cookies))?.files[0]).toMatchObject({ open: 1, paid: 1, failed: 0 })
    expect(await submitPayoutFiles(paid(), cookies)).toEqual({ redirectTo: '/admin/payout-files?done=paid' })
    expect((await newestPayouts(db(), tenant, 10)).map(({ status }) => status)).toEqual(['paid', 'paid'])
    expect((await payoutFilesPage(null, cookies))?.files[0]).toMatchObject({ open: 0, paid: 2, failed: 0 })
    expect((await auditLog(null, 2)).map(({ action }) => action)).toEqual(['payout.confirm', 'payout.confirm'])
    expect((await submitPayoutFiles(form('paid', { id: 'x' }), cookies))?.redirectTo).toMatch(/#problems$/)
  })

  test('the download of a bank file needs a recent second-factor code', async () => {
    await letCodesAge()
    expect(await downloadPayoutFile('payout_batch_x', cookies)).toMatchObject({
      redirectTo: expect.stringMatching(/^\/admin\/confirm\?to=/),
    })
    await confirmAgain()
  })
})

test('the page of provider accounts shows the accounts without their keys', async () => {
  const row = {
    id: `provider_account_${'1'.repeat(22)}`,
    storefront_id: shop.storefrontId,
    provider: 'mollie' as const,
  }
  const sealed = new Uint8Array(Buffer.from('live_secretsecret'))
  await db().provider_accounts.create({ data: { ...row, sealed, created_at: new Date(), ended_at: null } })
  const page = await providerAccountsPage(cookies)
  expect(page?.accounts).toMatchObject([{ id: row.id, storefront: 'Lumen', provider: 'mollie', endedAt: null }])
  expect(JSON.stringify(page)).not.toContain('secret')
  await db().provider_accounts.deleteMany({ where: { id: row.id } })
})

test('members of merchants and requests without a session can neither read nor change staff pages', async () => {
  const { id } = await factories.aCustomer(shop.testKey, { email: 'safe@example.com' })
  const code = await freshCodeOf(stranger)
  const before = await allRows()
  for (const as of [stranger, null, '']) {
    for (const page of [
      personalDataPage({ customer: id }, as),
      registrationsPage(null, as),
      payoutFilesPage(null, as),
      providerAccountsPage(as),
      exportCustomerData(id, as),
      downloadPayoutFile('payout_batch_x', as),
      submitPersonalData(form('erase', { customer: id, confirmed: 'yes', code }), as),
      submitRegistrations(form('add', { country: 'GB', number: '1', from: '2026-01-01' }), as),
      submitPayoutFiles(form('make', { code }), as),
    ])
      expect(await page).toBeNull()
  }
  expect(await allRows()).toEqual(before)
})
