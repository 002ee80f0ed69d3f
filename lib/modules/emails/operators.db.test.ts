import { beforeEach, describe, expect, it } from 'vitest'
import { POST as takeNotices } from '../../../app/api/emails/notices/route.ts'
import { blackShape } from '../../testing/pictures.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { saveBrand } from '../brand/operations.ts'
import type { Transaction } from '../events/transact.ts'
import { transact } from '../events/transact.ts'
import { enqueueEmail } from './enqueue.ts'
import { emailExamples } from './examples.ts'
import { listEmails, listKinds, previewEmail, resendEmail, switchKind } from './operations.ts'
import type { EmailKind } from './rules/email.ts'
import { emailKinds, requiredReasons, whyRequired } from './rules/required.ts'

let shop: Shop
beforeEach(async () => {
  shop = await aShop()
})

const write = (kind: EmailKind, to = 'ada@example.com') =>
  transact(shop.scope, (tx: Transaction) => enqueueEmail(tx, { to, locale: 'de', content: emailExamples[kind] }))
const listed = () => listEmails(shop.storefrontId)

describe('email kinds', () => {
  it('an email is not stored while its kind is switched off', async () => {
    await switchKind(shop.storefrontId, 'trial_ending', false)
    await switchKind(shop.storefrontId, 'trial_ending', false)
    expect((await listKinds(shop.storefrontId)).filter(({ isSent }) => !isSent)).toEqual([
      { kind: 'trial_ending', isSent: false, required: null },
    ])
    expect(await write('trial_ending')).toBeNull()
    expect(await write('payment_failed')).not.toBeNull()
    await switchKind(shop.storefrontId, 'trial_ending', true)
    expect(await write('trial_ending')).not.toBeNull()
    expect((await listed()).map(({ kind }) => kind)).toEqual(['trial_ending', 'payment_failed'])
  })

  it('a storefront sends an email kind even if another storefront has switched the kind off', async () => {
    const other = await aShop()
    await switchKind(other.storefrontId, 'payment_failed', false)
    expect(await write('payment_failed')).not.toBeNull()
  })

  it.each(
    Object.entries(whyRequired).flatMap(([kind, reason]) => (reason ? [[kind as EmailKind, reason] as const] : [])),
  )('the email kind %s cannot be switched off, and the error states the reason %s', async (kind, reason) => {
    const sentence = requiredReasons[reason]
    await expect(switchKind(shop.storefrontId, kind, false)).rejects.toMatchObject({
      code: 'validation_failed',
      on: { kind: [`This kind of email cannot be disabled. ${sentence}`] },
    })
    expect(await listKinds(shop.storefrontId)).toContainEqual({ kind, isSent: true, required: sentence })
  })

  it('each kind of email has a preview', async () => {
    for (const kind of emailKinds) expect((await previewEmail(kind, 'pl')).subject).not.toBe('')
    await saveBrand(shop.storefrontId, { displayName: 'Northwind', logo: blackShape, termsUrl: 'https://a.example/' })
    const { html, text } = await previewEmail('receipt', 'pl', shop.storefrontId)
    expect(html).toMatch(/<img src="http:\/\/[^"]+\/brand\/[0-9a-f]{64}\.png" [^>]*alt="Northwind"/)
    expect(text.match(/https:\/\/\S+/g)).toContain('https://a.example/')
    expect(text).not.toContain('https://pay.example.com/terms')
    await expect(previewEmail('receipt', 'pl', 'storefront_none')).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

describe('resends', () => {
  it('an email can be resent at most three times, each time as a new email with the same content', async () => {
    const id = (await write('refund')) ?? ''
    const again = await resendEmail(id)
    expect(again).toMatchObject({ originalId: id, kind: 'refund', status: 'kept' })
    expect(await resendEmail(again.id)).toMatchObject({ originalId: id })
    await resendEmail(id)
    await expect(resendEmail(id)).rejects.toMatchObject({ code: 'validation_failed' })
    const emails = await listed()
    expect(emails.map(({ originalId }) => originalId)).toEqual([id, id, id, null])
    expect(new Set(emails.map(({ to, subject, text }) => [to, subject, text].join())).size).toBe(1)
  })

  it('an unknown email cannot be resent', async () => {
    await expect(resendEmail('mail_0')).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

it('without a configured secret, the endpoint for notices of a mail provider responds with 404', async () => {
  const body = JSON.stringify({ notices: [] })
  for (const signature of ['', `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`]) {
    const headers = { 'content-type': 'application/json', 'notice-signature': signature }
    const request = new Request('http://localhost/api/emails/notices', { method: 'POST', headers, body })
    expect((await takeNotices(request)).status).toBe(404)
  }
})
