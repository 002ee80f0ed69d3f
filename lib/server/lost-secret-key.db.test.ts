import { beforeAll, describe, expect, it } from 'vitest'
import * as admin from '../admin/pages.ts'
import { backlogs } from '../modules/accounts/backlog.ts'
import { verifyAudit } from '../modules/audit/operations.ts'
import { listEmails, resendEmail } from '../modules/emails/operations.ts'
import { recentEmails } from '../modules/emails/store.ts'
import { secondFactorPage, submitSecondFactor, submitSignIn, wayIn } from '../modules/operators/manage-sessions.ts'
import { removeOperator, resetSecondFactor } from '../modules/operators/operations.ts'
import { changeAccountTyped, payoutAccounts } from '../modules/payouts/accounts.ts'
import { exportedBefore, writeExport } from '../modules/payouts/export.ts'
import { insertBatch, newestLiveBatches } from '../modules/payouts/export-store.ts'
import { portalSignInPath } from '../modules/portal/link.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { send } from '../testing/api.ts'
import { cli, isPrevented } from '../testing/command-line.ts'
import { configure } from '../testing/configure.ts'
import { aProduct } from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aSale } from '../testing/money-back.ts'
import { aMember, anOperator, halfSignedIn } from '../testing/operator.ts'
import { runDueTasks, tokenOf } from '../testing/shop.ts'
import { aPurchase, declare, type Purchase } from '../testing/withdrawal.ts'
import { answerDispute, checkedEvidence, requireAnswerable } from '../workflows/chargeback/answer.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import { erase } from '../workflows/erasure/operations.ts'
import { submitForgotten } from '../workflows/password-reset/submit-password-reset.ts'
import { submitPortalSignIn } from '../workflows/portal-sign-in/submit-sign-in.ts'
import { acceptSecretKey, proveSecretKey, unreadableKinds } from './secret-key.ts'

const email = 'desk@example.com'
const former = 'the secret that was here before and is long enough'
const current = 'another secret than it was and long enough'
const cookieIn = ({ cookie }: { cookie?: string }) => cookie?.split(';')[0] ?? null
let sale: Purchase
let operator: Awaited<ReturnType<typeof anOperator>>
let mailId = ''
const sentAgain = (line: string, body?: object) =>
  send(line, { key: sale.shop.testKey, ...(body && { body }), headers: { 'Idempotency-Key': 'before-it-was-lost' } })
const customer = { email: 'repeated@example.com', name: 'Ada' }
let archived = ''
let disputed = ''
let disputes = 0
const bankFile = {
  id: 'payout_batch_0oh6aE4X3VqIF0u4uHA4IT',
  scope: { testmode: false, storefrontId: null },
  count: 0,
  total: 0n,
  file: '<Document/>',
  createdAt: new Date('2026-11-24T10:00:00Z'),
}
const account = { holder: 'Lumen BV', iban: 'NL91ABNA0417164300' }
const scope = () => ({ storefrontId: sale.shop.storefrontId, testmode: true })
const place = () => ({ mode: 'test', storefrontId: sale.shop.storefrontId })

beforeAll(async () => {
  configure({ SECRET_KEY: former, SECRET_KEY_PREVIOUS: undefined })
  await db().key_proofs.deleteMany()
  await proveSecretKey()
  operator = await anOperator(email)
  sale = await aPurchase()
  await aDispute(`support${++disputes}@example.com`)
  await submitForgotten(new URLSearchParams({ email }))
  await submitPortalSignIn(tokenOf(portalSignInPath(sale.shop.scope)), new URLSearchParams({ email }))
  const guess = new URLSearchParams({ email: 'locked@example.com', password: 'wrong' })
  for (let n = 0; n < 5; n++) await submitSignIn(guess, { address: '198.51.100.1', name: 'Test' })
  configure({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'billing@lumen.example', TEST_MAIL_TO: '@example.com' })
  await declare(sale.token)
  await changeAccountTyped(scope(), account)
  expect((await sentAgain('POST /v1/customers', customer)).status).toBe(201)
  const { id } = await aProduct(sale.shop.testKey)
  archived = `POST /v1/one-off-products/${id}/archive`
  expect((await sentAgain(archived)).status).toBe(204)
  expect(await tasksWithAddress()).toEqual([
    ...['operator.email_password_link', 'operator.record_password_lock', 'portal.email_link'],
  ])
  mailId = (await db().emails.findFirstOrThrow({ where: { status: 'queued' } })).id
  configure({ SECRET_KEY: current })
  const set = `payout set-account --mode test --storefront ${sale.shop.storefrontId} --holder X --iban ${account.iban}`
  expect((await isPrevented(set)).message).toMatch(/^SECRET_KEY is not the key/)
  expect((await cli('invariants')).status).toBe(0)
  expect(await acceptSecretKey()).toEqual({ accepted: true })
  expect((await cli('invariants')).status).toBe(0)
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const tasksWithAddress = async () => {
  const rows = await db().$queryRaw<{ name: string }[]>`SELECT name FROM tasks WHERE data ? 'sealedEmail' ORDER BY name`
  return rows.map(({ name }) => name)
}

const answerOf = () => db().chargebacks.findUniqueOrThrow({ where: { id: disputed } })

/** Runs the task `chargeback.send_answer` before its next hourly attempt, and then runs the tasks that follow. */
async function runSendAnswer(): Promise<void> {
  await db().$executeRaw`
    UPDATE tasks SET run_at = clock_timestamp() - interval '1 second' WHERE name = 'chargeback.send_answer' AND key = ${disputed}`
  await runDueTasks()
}

async function aDispute(member: string): Promise<Tenant> {
  const { orderId, tenant } = await aSale({ price: '65.00' })
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: tenant.storefrontId } })
  await aMember(member, merchant_id, 'support')
  const { chargebackId } = await raise(orderId, { reason: 'fraud' })
  await answerDispute(tenant, chargebackId, checkedEvidence({ statement: 'It was used.', files: [] }))
  disputed = chargebackId
  return tenant
}

describe('after secret-key accept', () => {
  it('after SECRET_KEY is lost, the admin pages open in an existing session', async () => {
    const { cookies } = operator
    expect((await wayIn(cookies)).to).toBeNull()
    const page = await admin.orderPage(place(), sale.order.id, cookies)
    expect(page?.declared).toMatchObject([{ name: '', email: '', statement: '', items: [{ name: 'Pro' }] }])
    const emails = await admin.emailsPage(place(), {}, cookies)
    expect(emails?.rows.length).toBeGreaterThan(1)
    expect(await admin.emailPage(place(), mailId, cookies)).toMatchObject({
      to: '',
      subject: 'The text cannot be read, because the key that encrypted it is lost.',
    })
    expect(await admin.customerPage(place(), sale.order.customerId, cookies)).not.toBeNull()
    expect(await admin.payoutAccountPage(place(), null, cookies)).toMatchObject({ current: null, pending: null })
  })

  it('a queued email that is encrypted with a lost key is neither sent nor retried, and its outcome names the lost key', async () => {
    await runDueTasks()
    const { storefrontId } = sale.shop
    expect((await listEmails(storefrontId)).find(({ id }) => id === mailId)).toMatchObject({
      status: 'unreadable',
      outcome: expect.stringContaining('the key that encrypted it is not configured'),
    })
    const failed = (await backlogs(db(), 'emails', 100)).find((each) => each.storefrontId === storefrontId)
    expect(failed).toMatchObject({ testmode: true, failed: 0, unreadable: expect.any(Number) })
    expect(failed?.unreadable).toBeGreaterThan(0)
    expect(await db().tasks.count({ where: { name: 'email.send', key: mailId } })).toBe(0)
  })

  it('an unreadable email can be sent again after its key is added to SECRET_KEY_PREVIOUS', async () => {
    await expect(resendEmail(mailId)).rejects.toMatchObject({
      on: { email: ['The email cannot be read, because the key that encrypted it is lost.'] },
    })
    configure({ SECRET_KEY_PREVIOUS: former })
    const { id, status } = await resendEmail(mailId)
    configure({ SECRET_KEY_PREVIOUS: undefined })
    expect(status).toBe('queued')
    await db().tasks.deleteMany({ where: { name: 'email.send', key: id } })
    await db().emails.delete({ where: { id } })
  })

  it('tasks with an unreadable email address end without an effect', async () => {
    expect(await tasksWithAddress()).toEqual([])
  })

  it('unreadable evidence is not sent to the provider, and the merchant can submit it again', async () => {
    const found = await db().chargebacks.findUniqueOrThrow({ where: { id: disputed } })
    expect(found).toMatchObject({ status: 'pending', answer: 'unreadable' })
    await runSendAnswer()
    const emails = (await listEmails(found.storefront_id)).filter(({ subject }) => subject?.startsWith('Evidence'))
    expect(emails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Evidence not sent: /)])
    await expect(
      requireAnswerable({ storefrontId: found.storefront_id, testmode: true }, disputed),
    ).resolves.toBeUndefined()
    expect(await unreadableKinds()).toContain('unsent evidence of disputes')
  })

  it('unreadable evidence is sent after its key is added to SECRET_KEY_PREVIOUS', async () => {
    configure({ SECRET_KEY_PREVIOUS: former })
    await runSendAnswer()
    configure({ SECRET_KEY_PREVIOUS: undefined })
    const found = await db().chargebacks.findUniqueOrThrow({ where: { id: disputed } })
    expect(found).toMatchObject({ status: 'evidence_submitted', answer: 'evidence' })
    expect(await db().chargeback_evidence.findMany({ where: { chargeback_id: disputed } })).toMatchObject([
      { kind: 'statement', sealed: null },
    ])
  })

  it('unreadable evidence is deleted at the deadline, and new evidence replaces unreadable evidence', async () => {
    const evidence = () => db().chargeback_evidence.count({ where: { chargeback_id: disputed } })
    const unreadable = async () => {
      configure({ SECRET_KEY: former })
      const tenant = await aDispute(`support${++disputes}@example.com`)
      configure({ SECRET_KEY: current })
      await runSendAnswer()
      expect([(await answerOf()).answer, await evidence()]).toEqual(['unreadable', 1])
      return tenant
    }
    await unreadable()
    await db().chargebacks.update({ where: { id: disputed }, data: { respond_by: new Date('2020-01-01T00:00:00Z') } })
    await runSendAnswer()
    expect([(await answerOf()).answer, await evidence()]).toEqual(['unreadable', 0])
    expect(await db().tasks.count({ where: { name: 'chargeback.send_answer', key: disputed } })).toBe(0)

    const tenant = await unreadable()
    await answerDispute(tenant, disputed, checkedEvidence({ statement: 'It was used twice.', files: [] }))
    await runSendAnswer()
    expect(await answerOf()).toMatchObject({ status: 'evidence_submitted', answer: 'evidence' })
    expect(await evidence()).toBe(1)
  })

  it('an unreadable bank file is refused with the reason, and the page of bank files does not link to this file', async () => {
    configure({ SECRET_KEY: former })
    await db().$transaction((sql) => insertBatch(sql, bankFile, []))
    configure({ SECRET_KEY: current })
    expect(await newestLiveBatches(db(), 1)).toMatchObject([{ id: bankFile.id, isHere: false }])
    await expect(writeExport(await exportedBefore(bankFile.id), 'out.xml')).rejects.toMatchObject({
      on: { batch: [expect.stringContaining('the key that encrypted it is lost')] },
    })
    await db().payout_batches.delete({ where: { id: bankFile.id } })
  })

  it('a repeated request has no second effect, even if its stored response is encrypted with a lost key', async () => {
    const { status, body } = await sentAgain('POST /v1/customers', customer)
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'idempotency_answer_lost', details: { status: 201 } })
    expect((await sentAgain('POST /v1/customers', { ...customer, name: 'Grace' })).body.code).toBe(
      'idempotency_mismatch',
    )
    expect((await sentAgain(archived)).status).toBe(204)
  })

  it('after SECRET_KEY is lost, bank details can be entered again', async () => {
    await changeAccountTyped(scope(), account)
    expect(await payoutAccounts(scope())).toMatchObject({ pending: { holder: account.holder } })
  })

  it('after SECRET_KEY is lost, a customer can be erased', async () => {
    await erase(sale.order.customerId)
    expect((await recentEmails(db(), sale.shop.storefrontId, true, 1)).length).toBe(1)
    expect(await brokenInvariants()).toEqual({})
  })

  it('after SECRET_KEY is lost, the log-in explains why a code fails, and accepts a recovery code', async () => {
    const half = await halfSignedIn(email)
    expect(await secondFactorPage(half)).toEqual({ kind: 'code', isReadable: false })
    const enter = (code: string) => submitSecondFactor(new URLSearchParams({ code }), half)
    expect(await enter('123456')).toEqual({ redirectTo: '/admin/second-factor?refused' })
    const next = await enter(operator.recoveryCodes[0] ?? '')
    expect((await wayIn(cookieIn(next))).to).toBeNull()
  })

  it('staff can reset a second factor after its encryption key is lost', async () => {
    await resetSecondFactor(email)
    expect(await secondFactorPage(await halfSignedIn(email))).toMatchObject({ kind: 'set_up' })
    await removeOperator(email)
    expect(await db().operators.count({ where: { email } })).toBe(0)
  })
})
