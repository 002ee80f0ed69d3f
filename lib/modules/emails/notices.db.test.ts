import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { POST } from '../../../app/api/emails/notices/route.ts'
import { emailPage, emailsPage, submitEmail } from '../../admin/pages.ts'
import { only } from '../../kernel/only.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { timedSignature } from '../../platform/crypto/signing.ts'
import { db } from '../../platform/db/db.ts'
import { allRows } from '../../testing/all-rows.ts'
import { send as call } from '../../testing/api.ts'
import { answer } from '../../testing/command-line.ts'
import { configure } from '../../testing/configure.ts'
import { aMailServer } from '../../testing/mail-server.ts'
import { aMember, anOperator } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { transact } from '../events/transact.ts'
import { enqueueEmails } from './enqueue.ts'
import { emailExamples } from './examples.ts'
import { liftSuppression, listSuppressed } from './notices.ts'
import { listEmails } from './operations.ts'
import type { EmailKind } from './rules/email.ts'

const secret = 'a secret of the mail provider, 0123456789'
const server = await aMailServer()
configure({
  SMTP_URL: server.url,
  MAIL_FROM: 'billing@lumen.example',
  TEST_MAIL_TO: 'example.com',
  EMAIL_NOTICES_SECRET: secret,
})
afterAll(() => server.close())

const to = 'ada@example.com'
const at = '2026-11-20T10:00:00Z'
let shop: Shop
beforeEach(async () => {
  await db().tasks.deleteMany()
  shop = await aShop()
  server.forget()
})

const write = async (kind: EmailKind = 'payment_failed', of: { scope: Tenant } = shop) =>
  only(await transact(of.scope, (tx) => enqueueEmails(tx, [{ to, locale: 'en', content: emailExamples[kind] }])))
async function sent(kind: EmailKind = 'payment_failed', of: { scope: Tenant } = shop) {
  const id = await write(kind, of)
  await runDueTasks()
  return db().emails.findUniqueOrThrow({ where: { id } })
}

const now = () => Math.floor(Date.now() / 1000)
function post(body: string, { signature = timedSignature([secret], now(), body), type = 'application/json' } = {}) {
  const headers = { 'content-type': type, ...(signature && { 'notice-signature': signature }) }
  return POST(new Request('http://localhost/api/emails/notices', { method: 'POST', headers, body }))
}
const notify = async (...notices: object[]) => (await post(JSON.stringify({ notices }))).status
const bounce = (messageId: string, more: object = {}) => ({ type: 'bounce', messageId, permanent: true, at, ...more })
const complaint = (messageId: string, more: object = {}) => ({ type: 'complaint', messageId, at, ...more })

describe('bounce and complaint notices', () => {
  it('a notice of a permanent bounce marks the email, and later emails to the address are suppressed', async () => {
    const { id } = await sent()
    expect(await notify(bounce(`<${id}@lumen.example>`, { reason: '550 5.1.1 ada@example.com unknown' }))).toBe(204)
    expect(await db().emails.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'sent',
      bounced_at: new Date(at),
      bounced_for_good: true,
      complained_at: null,
    })
    expect((await listEmails(shop.storefrontId))[0]?.outcome).toMatch(/^The email bounced permanently/)
    server.forget()
    for (const kind of ['payment_failed', 'receipt', 'portal_link'] as const)
      expect((await sent(kind)).status).toBe('suppressed')
    expect(server.taken).toEqual([])
    expect((await listEmails(shop.storefrontId))[0]).toMatchObject({ status: 'suppressed', sentAt: null })
  })

  it('after a complaint, an email is sent only if its kind cannot be switched off', async () => {
    const { id } = await sent()
    expect(await notify(complaint(id))).toBe(204)
    expect((await listEmails(shop.storefrontId))[0]?.outcome).toBe('The recipient reported the email as spam.')
    expect((await sent('payment_failed')).status).toBe('suppressed')
    for (const kind of ['receipt', 'portal_link', 'withdrawal_received'] as const)
      expect((await sent(kind)).status).toBe('sent')
  })

  it('a notice of a temporary bounce is recorded on the email and does not suppress the address', async () => {
    const { id } = await sent()
    await notify(bounce(id, { permanent: false }))
    expect(await db().emails.findUniqueOrThrow({ where: { id } })).toMatchObject({
      bounced_at: new Date(at),
      bounced_for_good: false,
    })
    expect((await sent()).status).toBe('sent')
  })

  it('a bounce notice suppresses an email that is already queued', async () => {
    const { id } = await sent()
    const waiting = await write()
    await notify(bounce(id))
    await runDueTasks()
    expect((await db().emails.findUniqueOrThrow({ where: { id: waiting } })).status).toBe('suppressed')
  })

  it('a bounce notice suppresses the address only in the storefront and mode of the bounced email', async () => {
    const other = await aShop()
    await notify(bounce((await sent()).id))
    expect((await sent('payment_failed', other)).status).toBe('sent')
    expect(await listSuppressed(shop.storefrontId, { testmode: true })).toMatchObject([
      { address: to, cause: 'bounce' },
    ])
    expect(await listSuppressed(shop.storefrontId, { testmode: false })).toEqual([])
    expect(await listSuppressed(other.storefrontId, { testmode: true })).toEqual([])
  })

  it('`email suppressed` without --mode lists the suppressed addresses of both modes', async () => {
    const live = { ...shop, scope: { ...shop.scope, testmode: false } }
    await notify(bounce((await sent()).id))
    await notify(bounce((await sent('payment_failed', live)).id, { at: '2026-11-20T12:00:00Z' }))
    const list = `email suppressed --storefront ${shop.storefrontId}`
    const row = (testmode: boolean) => expect.objectContaining({ testmode, address: to, cause: 'bounce' })
    expect(await answer(`${list} --json`)).toEqual([row(false), row(true)])
    expect(await answer(`${list} --mode live --json`)).toEqual([row(false)])
    expect(await answer(`${list} --mode test --json`)).toEqual([row(true)])
    const lift = `email lift --storefront ${shop.storefrontId} --address ${to}`
    expect(await answer(`${lift} --json`)).toEqual({ testmode: true, address: to, lifted: 1 })
    expect(await answer(`${list} --json`)).toEqual([row(false)])
    expect(await answer(`${lift} --mode live --json`)).toEqual({ testmode: false, address: to, lifted: 1 })
  })

  it('a complaint notice about an address applies to each storefront that has a customer with this address', async () => {
    const other = await aShop()
    await call('POST /v1/customers', { key: shop.testKey, body: { email: to } })
    expect(await notify({ type: 'complaint', address: ' ADA@Example.com ', at })).toBe(204)
    expect((await sent()).status).toBe('suppressed')
    expect((await sent('payment_failed', other)).status).toBe('sent')
  })

  it('a bounce or complaint notice about an unknown email or address is accepted without effect', async () => {
    const before = await allRows()
    const unknown = `mail_${'0'.repeat(22)}`
    expect(await notify(bounce(unknown), bounce('<1234@elsewhere.example>'))).toBe(204)
    expect(await notify({ type: 'complaint', address: 'nobody@example.org', at })).toBe(204)
    expect(await allRows()).toEqual(before)
  })

  it('a bounce notice has no further effect if it is repeated or arrives out of order', async () => {
    const { id } = await sent()
    const later = '2026-11-20T12:00:00Z'
    await notify(bounce(id, { at: later }), bounce(id, { permanent: false }))
    const after = await allRows()
    await notify(bounce(id, { permanent: false }), bounce(id, { at: later }), bounce(id))
    expect(await allRows()).toEqual(after)
    expect(await db().emails.findUniqueOrThrow({ where: { id } })).toMatchObject({
      bounced_at: new Date(at),
      bounced_for_good: true,
    })
  })

  it('a bounce notice is recorded exactly once if it arrives several times concurrently', async () => {
    const { id } = await sent()
    const hold = { sql: 'SELECT 1 FROM emails WHERE id = $1 FOR UPDATE', values: [id] }
    const racers = Array.from({ length: 4 }, () => () => notify(bounce(id)))
    const ends = await raceBehind(hold, racers, 2)
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))).toEqual([204, 204, 204, 204])
    expect(await db().email_suppressions.count({ where: { storefront_id: shop.storefrontId } })).toBe(1)
  })

  it('the address and the reason of a bounce notice are stored encrypted', async () => {
    await notify(bounce((await sent()).id, { reason: 'no such user ada' }))
    const [{ dump }] = await db().$queryRaw<[{ dump: string }]>`
      SELECT string_agg(to_jsonb(s)::text, ' ') AS dump FROM email_suppressions s`
    expect(dump).toContain('bounce')
    for (const text of ['ada@example.com', 'no such user'])
      for (const form of [text, Buffer.from(text).toString('hex')]) expect(dump).not.toContain(form)
  })
})

describe('notice endpoint', () => {
  it.each([
    ['without a signature', ''],
    ['with a signature of another secret', timedSignature(['another secret of 32 characters!'], now(), '{}')],
    ['with a signature of another body', timedSignature([secret], now(), '{"notices":[]}')],
    ['with a signature from six minutes ago', timedSignature([secret], now() - 360, '{}')],
    ['with a signature from six minutes in the future', timedSignature([secret], now() + 360, '{}')],
    ['with a truncated signature', timedSignature([secret], now(), '{}').slice(0, -1)],
    ['with a malformed signature', 'v1=00'],
  ])('the endpoint for bounce notices refuses a request %s', async (_, signature) => {
    const before = await allRows()
    expect((await post('{}', { signature })).status).toBe(401)
    expect(await allRows()).toEqual(before)
  })

  it.each([
    ['{}', 'notices'],
    ['{"notices":[]}', 'notices'],
    [JSON.stringify({ notices: Array(501).fill(bounce('x')) }), 'notices'],
    [JSON.stringify({ notices: [{ type: 'open', messageId: 'x', at }] }), 'notices.0.type'],
    [JSON.stringify({ notices: [bounce('x', { at: 'yesterday' })] }), 'notices.0.at'],
    [JSON.stringify({ notices: [{ type: 'bounce', at }] }), 'notices.0.messageId'],
    [JSON.stringify({ notices: [{ type: 'bounce', address: 'ada', at }] }), 'notices.0.address'],
    [JSON.stringify({ notices: [bounce('x', { permanent: 'yes' })] }), 'notices.0.permanent'],
  ])('the endpoint for bounce notices refuses an invalid body with an error on the field $1', async (body, field) => {
    const { id } = await sent()
    const before = await allRows()
    const parsed = JSON.parse(body)
    const mixed = field.startsWith('notices.0') ? { notices: [...parsed.notices, bounce(id)] } : parsed
    const response = await post(JSON.stringify(mixed))
    expect([response.status, Object.keys((await response.json()).errors)]).toEqual([422, [field]])
    expect(await allRows()).toEqual(before)
  })

  it('the endpoint for bounce notices refuses a body that is too large or is not a JSON object', async () => {
    expect((await post('{')).status).toBe(400)
    expect((await post('[]')).status).toBe(400)
    expect((await post('{}', { type: 'text/plain' })).status).toBe(415)
    expect((await post(`"${'a'.repeat(1_048_576)}"`)).status).toBe(413)
  })
})

describe('suppressions', () => {
  it('a lifted suppression of an email address is not restored by an older bounce notice that arrives late', async () => {
    const email = await sent()
    await notify(bounce(email.id, { reason: 'mailbox unknown' }), complaint(email.id))
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const place = { mode: 'test', storefrontId: shop.storefrontId }
    const liftOf = (key: string) => new URLSearchParams({ intent: 'lift', key })
    const lift = liftOf(randomUUID())
    const { cookies: accountant } = await aMember(`acc-${email.id}@example.org`, merchant_id, 'accountant')
    expect((await emailPage(place, email.id, accountant))?.mayResend).toBe(false)
    expect(await submitEmail(place, email.id, lift, accountant)).toBeNull()

    const { cookies } = await aMember(`sup-${email.id}@example.org`, merchant_id, 'support')
    expect((await emailPage(place, email.id, cookies))?.suppressed).toMatchObject([
      { cause: 'bounce', reason: 'mailbox unknown' },
      { cause: 'complaint', reason: null },
    ])
    expect((await emailsPage(place, {}, cookies))?.rows[0]?.returned).toBe('complained')
    expect((await submitEmail(place, email.id, lift, cookies))?.redirectTo).toMatch(/\?done=lifted$/)
    expect((await submitEmail(place, email.id, lift, cookies))?.redirectTo).toMatch(/\?done=lifted$/)
    const another = await submitEmail(place, email.id, liftOf(randomUUID()), cookies)
    expect(another?.redirectTo).toMatch(/\?failed=validation_failed$/)
    expect((await emailPage(place, email.id, cookies))?.suppressed).toEqual([])
    const [entry] = await db().audit_entries.findMany({ where: { action: 'email.lift' } })
    expect(JSON.stringify(entry, (_, each) => (typeof each === 'bigint' ? `${each}` : each))).not.toContain(to)
    expect((await sent()).status).toBe('sent')
    await notify(bounce(email.id, { at: '2026-11-20T11:00:00Z' }))
    expect((await sent()).status).toBe('sent')
    await notify(bounce(email.id, { at: new Date(Date.now() + 3_600_000).toISOString() }))
    expect((await sent()).status).toBe('suppressed')
  })

  it('a suppression of an email address cannot be lifted in another storefront or mode', async () => {
    const email = await sent()
    await notify(bounce(email.id))
    const { cookies } = await anOperator(`op-${email.id}@example.org`)
    const other = await aShop()
    const elsewhere = { mode: 'test', storefrontId: other.storefrontId }
    expect(await submitEmail(elsewhere, email.id, new URLSearchParams({ intent: 'lift' }), cookies)).toBeNull()
    for (const tenant of [other.scope, { ...shop.scope, testmode: false }])
      await expect(liftSuppression(tenant, to)).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await liftSuppression(shop.scope, to)).toEqual({ address: to, lifted: 1 })
  })
})
