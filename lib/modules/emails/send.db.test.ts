import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { canonicalEmail } from '../../kernel/email.ts'
import { only } from '../../kernel/only.ts'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import type { TaskClaim } from '../../platform/jobs/tasks.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'
import { tasks } from '../../server/jobs.ts'
import { configure } from '../../testing/configure.ts'
import { killedAt, moments } from '../../testing/crash.ts'
import { aMailServer, decodedPart } from '../../testing/mail-server.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { advanceByDuration } from '../../workflows/test-helpers/operations.ts'
import { saveBrand } from '../brand/operations.ts'
import { transact } from '../events/transact.ts'
import { enqueueEmail, enqueueEmails } from './enqueue.ts'
import { emailExamples } from './examples.ts'
import { emailJobs } from './jobs.ts'
import { listEmails, resendEmail } from './operations.ts'
import type { EmailContent } from './rules/email.ts'
import { isForBuyer } from './rules/for-member.ts'
import { emailKinds } from './rules/required.ts'
import { reachMailServer, send } from './smtp.ts'

const server = await aMailServer()
configure({
  SMTP_URL: server.url,
  MAIL_FROM: 'Lumen Billing <billing@lumen.example>',
  TEST_MAIL_TO: 'ada@example.com,xn--bcher-kva.example',
})
afterAll(() => server.close())

const to = 'ada@example.com'
const content: EmailContent = {
  kind: 'payment_failed',
  isOfChange: false,
  subscriptionName: 'Pro',
  storefrontName: 'Lumen',
  seller: { name: 'Billhook Seller B.V.', addressLines: ['Keizersgracht 1'], country: 'NL' },
  customerId: null,
  customerName: 'Ada',
  amount: { value: '12.10', currency: 'EUR' },
  reason: 'temporary_decline',
  nextAttemptAt: '2026-11-22T12:00:00Z',
  updateUrl: 'https://pay.example.com/billing-update/secret-token',
}

let shop: Shop
beforeEach(async () => {
  await db().tasks.deleteMany()
  shop = await aShop()
  server.forget()
})

const post = async (address = to) =>
  only(await transact(shop.scope, (tx) => enqueueEmails(tx, [{ to: address, locale: 'en', content }])))
const row = (id: string) => db().emails.findUniqueOrThrow({ where: { id } })
const task = () => db().tasks.findFirst({ where: { name: 'email.send' } })

async function claimNext(): Promise<TaskClaim | null> {
  const [claim] = await db().$queryRaw<TaskClaim[]>`
    UPDATE tasks SET claim_version = claim_version + 1, attempts = attempts + 1 WHERE name = 'email.send'
    RETURNING id AS "taskId", claim_version AS "claimVersion"`
  return claim ?? null
}
const run = (claim: TaskClaim) => runTask(new Map(emailJobs.map((job) => [job.name, job])), claim)
async function runNext(): Promise<boolean> {
  const claim = await claimNext()
  return claim !== null && run(claim)
}

describe('outbox', () => {
  it('an email is sent after its transaction commits', async () => {
    const id = await post()
    expect(await row(id)).toMatchObject({ status: 'queued', kind: 'payment_failed', locale: 'en', sent_at: null })
    expect(await task()).toMatchObject({ key: id, data: { mailId: id }, clock: 'real' })
    expect(server.taken).toEqual([])

    expect(await runNext()).toBe(true)
    const [sent, ...more] = server.taken
    expect(more).toEqual([])
    expect(sent).toMatchObject({ messageId: `<${id}@lumen.example>`, recipients: ['RCPT TO:<ada@example.com>'] })
    expect(sent?.raw).toMatch(/^From: Lumen Billing <billing@lumen.example>\r$/m)
    expect(sent?.raw).toMatch(/^To: ada@example.com\r$/m)
    expect(sent?.raw).toMatch(/^Subject: Your payment for Pro did not go through\r$/m)
    expect(sent?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(sent?.raw).toMatch(/multipart\/alternative/)
    expect(decodedPart(sent?.raw ?? '')).toContain('Your payment of €12.10 for Pro at Lumen did not go through.')
    expect(decodedPart(sent?.raw ?? '')).toContain('<a href="https://pay.example.com/billing-update/secret-token"')

    expect(await row(id)).toMatchObject({ status: 'sent', sent_at: expect.any(Date) })
    expect(await task()).toBeNull()
    expect(await runNext()).toBe(false)
  })

  it('an email is not queued if its transaction fails', async () => {
    const failing = transact(shop.scope, async (tx) => {
      await enqueueEmail(tx, { to, locale: 'en', content })
      throw new Error('after the mail')
    })
    await expect(failing).rejects.toThrow('after the mail')
    expect(await db().emails.count({ where: { storefront_id: shop.storefrontId } })).toBe(0)
    expect(await task()).toBeNull()
  })

  it('addresses and texts of emails are stored encrypted', async () => {
    const id = await post()
    const stored = await row(id)
    const readable = Buffer.from(stored.sealed).toString('latin1') + JSON.stringify([stored, await task()])
    for (const part of [to, 'secret-token', 'Lumen', 'payment for']) expect(readable).not.toContain(part)
  })

  it('emails are listed newest first, with their decrypted content', async () => {
    const first = await post()
    await runNext()
    const second = await post()
    const listed = await listEmails(shop.storefrontId, { testmode: true })
    expect(listed.map(({ id, status }) => ({ id, status }))).toEqual([
      { id: second, status: 'queued' },
      { id: first, status: 'sent' },
    ])
    expect(listed[1]).toEqual({
      id: first,
      outcome: 'The mail server accepted the email.',
      lastError: null,
      kind: 'payment_failed',
      testmode: true,
      locale: 'en',
      to,
      bouncedAt: null,
      isBouncedForGood: false,
      complainedAt: null,
      customerId: null,
      orderId: null,
      originalId: null,
      subscriptionId: null,
      subject: 'Your payment for Pro did not go through',
      status: 'sent',
      createdAt: expect.any(Date),
      sentAt: expect.any(Date),
      text: expect.stringMatching(/^Test mode: no real money\n/),
      html: expect.stringMatching(/^<!doctype html>/),
    })
    expect(await listEmails(shop.storefrontId, { limit: 1 })).toHaveLength(1)
    expect(await listEmails(shop.storefrontId, { testmode: false })).toEqual([])
    await expect(listEmails('storefront_nothing')).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('the email list states the creation time on the test clock and the sending time on the real clock', async () => {
    await advanceByDuration(shop.scope, { by: { days: 30 } }, tasks.embedded)
    const id = await post()
    await runNext()
    const { created_at, sent_at } = await row(id)
    expect(created_at.getTime() - Date.now()).toBeGreaterThan(29 * 86_400_000)
    expect(sent_at?.getTime()).toBeLessThanOrEqual(Date.now())
  })
})

describe('refused emails', () => {
  it.each<[string, typeof server.answers]>([
    ['is busy', { greeting: '421 busy, ada@example.com' }],
    ['closes the connection immediately', { greeting: null }],
    ['refuses the sender', { MAIL: '550 not from you, ada@example.com' }],
    ['defers the recipient', { RCPT: '450 <ada@example.com> later' }],
    ['defers the message', { message: '451 <ada@example.com> later' }],
    ['takes the message and closes the connection', { message: null }],
    ['sends a reply that is not SMTP', { RCPT: 'ada@example.com?' }],
  ])('an email is retried under the same Message-ID if the server %s', async (_, wrong) => {
    const id = await post()
    server.answers = wrong
    expect(await runNext()).toBe(false)
    expect(await row(id)).toMatchObject({ status: 'queued', sent_at: null })
    const failed = await task()
    expect(failed?.last_error).toMatch(
      /^EmailRejected: The mail server did not accept the email: E[A-Z]+(, answered \d{3})?\.$/,
    )

    server.answers = {}
    expect(await runNext()).toBe(true)
    expect(await row(id)).toMatchObject({ status: 'sent' })
    expect(await task()).toBeNull()
    expect(new Set(server.taken.map(({ messageId }) => messageId))).toEqual(new Set([`<${id}@lumen.example>`]))
  })

  it.each<[string, typeof server.answers]>([
    ['recipient', { RCPT: '550 no <ada@example.com> here' }],
    ['message', { message: '554 not this' }],
  ])('an email is not retried if the server refuses the %s permanently', async (_, wrong) => {
    const id = await post()
    server.answers = wrong
    expect(await runNext()).toBe(true)
    expect(await row(id)).toMatchObject({ status: 'refused', sent_at: null })
    expect(await task()).toBeNull()
    expect(server.connections).toBe(1)
  })
})

const inUtf8 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('utf8')

describe('non-ASCII addresses', () => {
  const local = canonicalEmail('jürgen@bücher.example') ?? ''
  const envelope = () => server.commands.filter((line) => /^(MAIL|RCPT)/.test(line)).map(inUtf8)

  it('the non-ASCII domain of a recipient is sent as an A-label, even to a server without SMTPUTF8', async () => {
    const id = await post(canonicalEmail('ada@bücher.example') ?? '')
    expect(await runNext()).toBe(true)
    expect(await row(id)).toMatchObject({ status: 'sent' })
    expect(envelope()).toEqual(['MAIL FROM:<billing@lumen.example>', 'RCPT TO:<ada@xn--bcher-kva.example>'])
    expect(server.taken[0]?.raw).toMatch(/^To: ada@xn--bcher-kva.example\r$/m)
  })

  it.each([
    ['nothing', []],
    ['other extensions with a similar name', ['SMTPUTF8.example', 'XSMTPUTF8']],
  ])(
    'an email to an address with a non-ASCII local part gets the status unsupported if the server offers %s instead of SMTPUTF8',
    async (_, extensions) => {
      server.extensions = extensions
      const id = await post(local)
      expect(await runNext()).toBe(true)
      expect(await row(id)).toMatchObject({ status: 'unsupported', sent_at: null })
      expect(await task()).toBeNull()
      expect([envelope(), server.taken, server.connections]).toEqual([[], [], 1])
      expect(await listEmails(shop.storefrontId)).toMatchObject([
        { status: 'unsupported', outcome: expect.stringMatching(/SMTPUTF8/) },
      ])
      expect(serviceProblems().seenHere({ kind: 'mail' })).toBe('ok')
    },
  )

  it('an email to an address with a non-ASCII local part can be resent after the server starts to offer SMTPUTF8', async () => {
    const id = await post(local)
    await runNext()
    server.forget()
    server.extensions = ['SMTPUTF8']
    const again = await resendEmail(id)
    expect(again).toMatchObject({ originalId: id, status: 'queued' })
    expect(await runNext()).toBe(true)
    expect(await row(again.id)).toMatchObject({ status: 'sent' })
    expect(envelope()).toEqual(['MAIL FROM:<billing@lumen.example> SMTPUTF8', 'RCPT TO:<jürgen@bücher.example>'])
    expect(inUtf8(server.taken[0]?.raw ?? '')).toMatch(/^To: jürgen@bücher.example\r$/m)
  })

  it('an email from a non-ASCII sender fails without SMTPUTF8, and the error names MAIL_FROM', async () => {
    const settings = {
      server: { host: '127.0.0.1', port: server.port, secure: false, auth: null },
      from: { name: 'Lumen', address: 'büro@lumen.example' },
    }
    const email = { id: 'mail_1', to, replyTo: null, subject: 'S', text: 'T', html: '<p>T</p>', attachment: null }
    await expect(send(settings, email)).rejects.toMatchObject({ name: 'EmailRejected', forGood: false })
    await expect(reachMailServer(settings)).rejects.toThrow('MAIL_FROM')
    expect(envelope()).toEqual([])
    server.extensions = ['SMTPUTF8']
    await send(settings, email)
    expect(envelope()[0]).toBe('MAIL FROM:<büro@lumen.example> SMTPUTF8')
    await reachMailServer(settings)
  })
})

describe('Reply-To', () => {
  const replyTo = () => /^Reply-To: .*$/m.exec(server.taken[0]?.raw ?? '')?.[0].trim() ?? null
  const sent = async (email: EmailContent) => {
    await transact(shop.scope, (tx) => enqueueEmails(tx, [{ to, locale: 'en', content: email }]))
    expect(await runNext()).toBe(true)
    return replyTo()
  }

  it('Reply-To of an email to a buyer is the support address of the storefront', async () => {
    await saveBrand(shop.storefrontId, { supportEmail: 'help@bücher.example' })
    expect(await sent(content)).toBe('Reply-To: help@xn--bcher-kva.example')
  })

  it('Reply-To is omitted if the storefront has no support address', async () => {
    expect(await sent(content)).toBeNull()
  })

  it('Reply-To with non-ASCII letters before the @ is omitted', async () => {
    await saveBrand(shop.storefrontId, { supportEmail: 'grüße@lumen.example' })
    server.extensions = ['SMTPUTF8']
    expect(await sent(content)).toBeNull()
  })

  it.each(emailKinds.filter((kind) => !isForBuyer(kind)))(
    'the email %s has no Reply-To, because it is not for a buyer',
    async (kind) => {
      await saveBrand(shop.storefrontId, { supportEmail: 'help@lumen.example' })
      expect(await sent(emailExamples[kind])).toBeNull()
    },
  )
})

it('a password is not sent to a server without TLS', async () => {
  const settings = {
    server: { host: '127.0.0.1', port: server.port, secure: false, auth: { user: 'lumen', pass: 'secret' } },
    from: { name: '', address: 'billing@lumen.example' },
  }
  const words = { subject: 'Subject', text: 'Text', html: '<p>Text</p>' }
  const email = { id: 'mail_1', to, replyTo: null, ...words, attachment: null }
  await expect(send(settings, email)).rejects.toMatchObject({ name: 'EmailRejected', forGood: false })
  expect(server.commands).toEqual([expect.stringMatching(/^EHLO /), 'STARTTLS'])
  await send({ ...settings, server: { ...settings.server, auth: null } }, email)
  expect(server.taken).toHaveLength(1)
})

describe('killed process', () => {
  it.each(moments)(
    'an email is sent at least once, even if the process that sends the email is killed %s any query',
    async (moment) => {
      let sentTwice = 0
      for (let n = 1; ; n++) {
        server.taken = []
        const id = await post()
        const claim = await claimNext()
        if (!claim) throw new Error('no task waits')
        const killed = await killedAt(n, moment, () => run(claim))
        await runNext()
        expect(await row(id)).toMatchObject({ status: 'sent' })
        expect(await task()).toBeNull()
        expect(new Set(server.taken.map(({ messageId }) => messageId))).toEqual(new Set([`<${id}@lumen.example>`]))
        if (server.taken.length === 2) sentTwice++
        expect(server.taken.length).toBeLessThanOrEqual(2)
        if (!killed) break
        expect(n).toBeLessThan(50)
      }
      expect(sentTwice).toBeGreaterThan(0)
    },
  )
})
