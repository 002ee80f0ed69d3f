import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { configure } from '../../testing/configure.ts'
import { aMailServer } from '../../testing/mail-server.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { transact } from '../events/transact.ts'
import { checkAll } from '../invariants/operations.ts'
import { enqueueEmail } from './enqueue.ts'
import { listEmails } from './operations.ts'
import type { EmailContent } from './rules/email.ts'

/**
 * In test mode, anyone with an API key can choose recipient and text, so only listed addresses and domains get emails.
 * The mail server of these tests accepts every email.
 */

const tested = 'Dev@Example.com, @bücher.example'
const server = await aMailServer()
configure({
  SMTP_URL: server.url,
  MAIL_FROM: 'Lumen\u202e\u0085Billing <billing@lumen.example>',
})
afterAll(() => server.close())

const content: EmailContent = {
  kind: 'canceled_for_nonpayment',
  subscriptionName: 'Pro',
  storefrontName: 'Lumen',
  seller: { name: 'Billhook Seller B.V.', addressLines: ['Keizersgracht 1'], country: 'NL' },
  customerId: null,
  customerName: 'Ada',
  amount: { value: '12.10', currency: 'EUR' },
}
let shop: Shop
beforeEach(async () => {
  await db().tasks.deleteMany()
  await db().emails.deleteMany()
  configure({ TEST_MAIL_TO: tested })
  server.forget()
  shop = await aShop()
})
const live = (): Tenant => ({ ...shop.scope, testmode: false })
const post = (to: string, { tenant = shop.scope, what = content }: { tenant?: Tenant; what?: EmailContent } = {}) =>
  transact(tenant, (tx) => enqueueEmail(tx, { to, locale: 'en', content: what }))
const waiting = () => db().tasks.count({ where: { name: 'email.send' } })
const recipients = () => server.taken.flatMap((each) => each.recipients)

describe('recipients', () => {
  it.each(['ada@example.com', 'dev+1@example.com', 'ada@mail.xn--bcher-kva.example', 'ada@example.org'])(
    'a test-mode email to %s is stored and shown, but never sent',
    async (to) => {
      const id = await post(to)
      expect(await waiting()).toBe(0)
      await runDueTasks()
      expect(server.connections).toBe(0)
      expect(await listEmails(shop.storefrontId)).toMatchObject([
        {
          id,
          to,
          status: 'kept',
          sentAt: null,
          subject: 'Your subscription Pro has ended',
          outcome: 'Stored only: emails of test mode are sent only to TEST_MAIL_TO.',
        },
      ])
    },
  )

  it.each(['dev@example.com', 'ada@xn--bcher-kva.example'])(
    'a test-mode email is sent to %s, which TEST_MAIL_TO allows',
    async (to) => {
      await post(to)
      await runDueTasks()
      expect(recipients()).toEqual([`RCPT TO:<${to}>`])
      expect(await listEmails(shop.storefrontId)).toMatchObject([
        { status: 'sent', outcome: 'The mail server accepted the email.' },
      ])
    },
  )

  it('a queued test-mode email is never sent after its recipient is removed from TEST_MAIL_TO', async () => {
    const id = await post('dev@example.com')
    expect(await waiting()).toBe(1)
    configure({ TEST_MAIL_TO: '' })
    await runDueTasks()
    expect([server.connections, await waiting()]).toEqual([0, 0])
    expect(await listEmails(shop.storefrontId)).toMatchObject([{ id, status: 'kept', sentAt: null }])
    const findings = (await checkAll()).filter(({ name }) => name === 'a queued email has a task')
    expect(findings).toMatchObject([{ status: 'ok' }])
  })
})

it('a live-mode email is sent to any recipient', async () => {
  await post('ada@example.com', { tenant: live() })
  await runDueTasks()
  expect(recipients()).toEqual(['RCPT TO:<ada@example.com>'])
  expect(await listEmails(shop.storefrontId)).toMatchObject([{ status: 'sent', testmode: false }])
})

describe('names in headers', () => {
  const headersOf = (raw: string) =>
    raw
      .slice(0, raw.indexOf('\r\n\r\n'))
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
  const readable = (header: string) =>
    header
      .replaceAll(/\?=\s+=\?/g, '?==?')
      .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, text) => Buffer.from(text, 'base64').toString())
      .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, text: string) =>
        Buffer.from(
          text
            .replaceAll('_', ' ')
            .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString(),
      )

  it.each([
    ['\r\nBcc: evil@example.org', ' Bcc: evil@example.org'],
    ['\nBcc: evil@example.org\n\nHello', ' Bcc: evil@example.org Hello'],
    ['\r\n.\r\nMAIL FROM:<a@example.com>\r\n', ' . MAIL FROM:<a@example.com>'],
    ['\u2028\u0085Bcc: evil@example.org', ' Bcc: evil@example.org'],
    [' \u202e\u2066\u200f\u061ctxt.ü', ' txt.ü'],
    ['\u0000\u001b[31m\u009b', '[31m'],
  ])(
    'a subscription, storefront, customer, or seller name that ends with %j adds no header, recipient, or email',
    async (odd, shown) => {
      const name = `Pro${odd}`
      const names = { subscriptionName: name, storefrontName: name, customerName: name }
      await post('dev@example.com', { what: { ...content, ...names, seller: { ...content.seller, name } } })
      await runDueTasks()
      expect(recipients()).toEqual(['RCPT TO:<dev@example.com>'])
      expect(server.taken).toHaveLength(1)
      const headers = headersOf(server.taken[0]?.raw ?? '').map(readable)
      const value = (field: string) =>
        headers
          .filter((header) => header.toLowerCase().startsWith(`${field}: `))
          .map((each) => each.slice(field.length + 2))
      expect(value('subject')).toEqual([`Your subscription Pro${shown} has ended`])
      expect(value('from')).toEqual(['Lumen Billing <billing@lumen.example>'])
      expect(value('to')).toEqual(['dev@example.com'])
      expect([value('bcc'), value('cc')]).toEqual([[], []])
      expect(headers.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
    },
  )
})
