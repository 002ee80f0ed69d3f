import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as admin from '../../admin/pages.ts'
import { auditLog } from '../../modules/audit/operations.ts'
import { evidenceToSend } from '../../modules/chargebacks/evidence-store.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { db } from '../../platform/db/db.ts'
import { sandbox } from '../../providers/sandbox/provider.ts'
import { configure } from '../../testing/configure.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, balanceOf, type Sale } from '../../testing/money-back.ts'
import { aMember, freshCodeOf } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { runDueTasks } from '../../testing/shop.ts'
import { drainTasks } from '../../testing/subscription-scenario.ts'
import { providerThatWasPaid } from '../collection/provider-of.ts'
import { answerDispute, checkedEvidence } from './answer.ts'
import { move, raise } from './operations.ts'

// Each concurrent call needs its own database connection.
configure({ DATABASE_POOL: '20' })

let sale: Sale
let id: string
let owner: string | null
let number = 0
beforeEach(async () => {
  sale = await aSale({ price: '65.00' })
  id = (await raise(sale.orderId, { reason: 'fraud' })).chargebackId
  await drainTasks()
  owner = (await aMember(`answers${++number}@example.com`, await merchantId(), 'owner')).cookies
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const merchantId = async () =>
  (await db().storefronts.findUniqueOrThrow({ where: { id: sale.shop.storefrontId } })).merchant_id
const at = (mode = 'test') => ({ mode, storefrontId: sale.shop.storefrontId })
const pdf = new TextEncoder().encode('%PDF-1.7 a receipt')
const send = async (fields: Record<string, string>, files: admin.AnswerForm['files'] = [], cookies = owner) =>
  admin.submitAnswer(
    at(),
    id,
    { values: new URLSearchParams({ key: crypto.randomUUID(), code: await freshCodeOf(cookies), ...fields }), files },
    cookies,
  )
const evidence = (statement: string, files: admin.AnswerForm['files'] = [], key: string = crypto.randomUUID()) =>
  send({ intent: 'evidence', statement, key }, files)
const concede = () => send({ intent: 'concede', confirmed: 'yes' })
const page = async (form: string | null = null, cookies = owner) => admin.chargebackPage(at(), id, { form }, cookies)

type Next = { readonly redirectTo: string; readonly cookie?: string } | null
const queryOf = (next: Next) => new URL(next?.redirectTo ?? '', 'http://localhost').searchParams
async function problemsOf(next: Next) {
  const left = next?.cookie?.split(';')[0]
  return (await page(queryOf(next).get('form'), left ? `${owner}; ${left}` : owner))?.answering?.problems
}
const atProvider = () => vi.spyOn(sandbox, 'submitEvidence')
const rows = () => db().chargeback_evidence.findMany({ where: { chargeback_id: id }, orderBy: { id: 'asc' } })

describe('an answer to a dispute', () => {
  test('the page of a dispute shows the deducted amount, the fee, and the deadline', async () => {
    expect(await page()).toMatchObject({
      chargeback: { settlementAmount: { value: '93.65' } },
      taken: { value: '78.65' },
      fee: { value: '15.00' },
      respondBy: expect.stringMatching(/^2026-12-15T/),
      isOverdue: false,
      answer: null,
      answering: { statement: '' },
    })
  })

  test('dispute evidence is stored encrypted, sent to the provider once, and then deleted', async () => {
    const key = crypto.randomUUID()
    const files = [{ kind: 'receipt', bytes: pdf }]
    for (const _ of [1, 2]) expect(queryOf(await evidence('It was used.', files, key)).get('done')).toBe('evidence')
    const stored = await rows()
    expect(stored.map(({ kind, type, size }) => [kind, type, size])).toEqual([
      ['statement', 'text/plain', 12],
      ['receipt', 'application/pdf', pdf.length],
    ])
    for (const { sealed } of stored) expect(Buffer.from(sealed ?? []).toString('latin1')).not.toMatch(/used|receipt/)
    expect(await page()).toMatchObject({ answer: 'evidence', answering: null, chargeback: { status: 'pending' } })
    const submitting = atProvider()
    try {
      for (const _ of [1, 2]) await drainTasks()
      expect(submitting.mock.calls.map(([, { evidence }]) => evidence.map(({ kind }) => kind))).toEqual([
        ['statement', 'receipt'],
      ])
    } finally {
      submitting.mockRestore()
    }
    expect((await rows()).map(({ sealed }) => sealed)).toEqual([null, null])
    expect(await page()).toMatchObject({ chargeback: { status: 'evidence_submitted' }, answering: null })
    expect((await page())?.evidence.map(({ kind }) => kind)).toEqual(['statement', 'receipt'])
    expect((await auditLog(null, 1))[0]).toMatchObject({
      action: 'chargeback.send_evidence',
      actor: { kind: 'member' },
    })
    expect(queryOf(await evidence('More.')).get('failed')).toBe('illegal_move')
    await move(id, 'won')
    await drainTasks()
    expect((await balanceOf(sale)).merchant_balance).toBe(String(-(65 - 3.75 - 15).toFixed(2)))
  })

  test('invalid dispute evidence changes nothing, and the error names the field', async () => {
    expect(await problemsOf(await evidence('  '))).toEqual({ statement: expect.any(String) })
    const html = new TextEncoder().encode('<html>')
    expect(await problemsOf(await evidence('x', [{ kind: 'service', bytes: html }]))).toEqual({
      service: expect.stringContaining('PDF'),
    })
    const large = new Uint8Array(4_500_001)
    large.set(pdf)
    expect(await problemsOf(await evidence('', [{ kind: 'other', bytes: large }]))).toEqual({
      other: expect.stringContaining('4.5 MB'),
    })
    expect(await rows()).toEqual([])
    expect(await page()).toMatchObject({ answer: null })
  })

  test('conceding a dispute without the ticked checkbox is refused, even if the member has just entered a second-factor code', async () => {
    for (const fields of [{}, { confirmed: '' }, { confirmed: 'on' }])
      expect(await problemsOf(await send({ intent: 'concede', ...fields }))).toEqual({
        confirmed: expect.stringContaining('ticked'),
      })
    await drainTasks()
    expect(await page()).toMatchObject({ answer: null, chargeback: { status: 'pending' } })
  })

  test('a conceded dispute gets the status `accepted` and cannot be conceded again', async () => {
    expect(queryOf(await concede()).get('done')).toBe('concede')
    await drainTasks()
    expect(await page()).toMatchObject({
      chargeback: { status: 'accepted', orderId: expect.any(String) },
      answering: null,
    })
    expect(queryOf(await concede()).get('failed')).toBe('illegal_move')
  })

  test('a conceded dispute gets the status `accepted`, even if the provider reports `lost`, as Stripe does', async () => {
    const real = sandbox.fetchChargeback
    const asLost = async (...args: Parameters<typeof real>) => {
      const found = await real(...args)
      return { ...found, status: found.status === 'accepted' ? ('lost' as const) : found.status }
    }
    vi.spyOn(sandbox, 'fetchChargeback').mockImplementation(asLost)
    await concede()
    await drainTasks()
    vi.restoreAllMocks()
    expect(await page()).toMatchObject({
      chargeback: { status: 'accepted', orderId: expect.any(String) },
      answer: 'concede',
    })
    await drainTasks()
    expect(await page()).toMatchObject({ chargeback: { status: 'accepted' } })
  })

  test('an answer to a decided dispute is refused', async () => {
    await move(id, 'lost')
    await drainTasks()
    expect(queryOf(await evidence('Late.')).get('failed')).toBe('illegal_move')
    expect(await rows()).toEqual([])
  })

  test.each(['lost', 'won', 'accepted', 'evidence_submitted'] as const)(
    'if the dispute becomes %s before evidence is sent, the evidence is shown as not sent and is deleted',
    async (status) => {
      await evidence('Just in time.')
      await move(id, status)
      await drainTasks()
      expect(await page()).toMatchObject({ chargeback: { status }, answer: 'late', answeredAt: null, answering: null })
      expect(await rows()).toEqual([])
      expect(queryOf(await evidence('Again.')).get('failed')).toBe('illegal_move')
    },
  )

  test.each(['won', 'evidence_submitted'] as const)(
    'if the dispute becomes %s before a concession is sent, the concession is shown as not sent',
    async (status) => {
      await concede()
      await move(id, status)
      await drainTasks()
      expect(await page()).toMatchObject({ chargeback: { status }, answer: 'late', answeredAt: null })
    },
  )

  test('dispute evidence from an interrupted attempt is shown as sent, even after the dispute is decided', async () => {
    await evidence('In time.')
    const { provider_ref: ref } = await db().chargebacks.findUniqueOrThrow({ where: { id } })
    const provider = await providerThatWasPaid(sale.orderId)
    const sent = await evidenceToSend(db(), sale.tenant, id)
    expect(await provider.submitEvidence?.(sale.tenant, { ref, evidence: sent ?? [] })).toBe('taken')
    await move(id, 'won')
    await drainTasks()
    expect(await page()).toMatchObject({ chargeback: { status: 'won' }, answer: 'evidence' })
    expect((await rows()).map(({ sealed }) => sealed)).toEqual([null])
  })

  test('dispute evidence that the provider refused can be sent again, and members get an email with the deadline', async () => {
    for (const role of ['support', 'accountant', 'developer'] as const)
      await aMember(`${role}${number}@example.com`, await merchantId(), role)
    await evidence('A broken file.')
    const refusing = atProvider().mockResolvedValueOnce('refused')
    await drainTasks()
    expect(refusing).toHaveBeenCalledOnce()
    expect(await page()).toMatchObject({ answer: 'refused', answeredAt: null, answering: { statement: '' } })
    expect(await rows()).toEqual([])
    const emails = (await listEmails(sale.shop.storefrontId)).filter(({ subject }) => subject?.includes('Evidence'))
    expect(emails.map(({ to }) => to).sort()).toEqual(
      ['accountant', 'answers', 'support'].map((name) => `${name}${number}@example.com`),
    )
    for (const { text } of emails)
      expect(read(text ?? '')).toContain('send them again in the admin area by 15 December 2026')
    await evidence('A good file.')
    await drainTasks()
    expect(await page()).toMatchObject({
      answer: 'evidence',
      chargeback: { status: 'evidence_submitted' },
      evidence: [{ kind: 'statement', size: 'A good file.'.length }],
    })
  })

  test('the page of a dispute says that the service retries sending a failed answer', async () => {
    await evidence('It was used.')
    expect(await page()).toMatchObject({ isTryingAgain: false })
    const failing = atProvider().mockRejectedValue(new Error('The provider is away.'))
    await runDueTasks()
    expect(failing).toHaveBeenCalled()
    expect(await page()).toMatchObject({ answer: 'evidence', isTryingAgain: true })
    failing.mockRestore()
    await db()
      .$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE last_error IS NOT NULL`
    await drainTasks()
    expect(await page()).toMatchObject({ isTryingAgain: false, chargeback: { status: 'evidence_submitted' } })
  })

  test('only one of several concurrent answers to a dispute is recorded', async () => {
    const sql = 'SELECT 1 FROM chargebacks WHERE id = $1 FOR UPDATE'
    const text = checkedEvidence({ statement: 'It was used.', files: [] })
    const ends = await raceBehind({ sql, values: [id] }, [
      () => answerDispute(sale.tenant, id, text),
      () => answerDispute(sale.tenant, id, null),
      () => answerDispute(sale.tenant, id, text),
    ])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'illegal_move' })
    const { answer } = await db().chargebacks.findUniqueOrThrow({ where: { id } })
    expect(await rows()).toHaveLength(answer === 'evidence' ? 1 : 0)
    expect(await db().tasks.count({ where: { name: 'chargeback.send_answer', key: id } })).toBe(1)
    await drainTasks()
    const status = answer === 'evidence' ? 'evidence_submitted' : 'accepted'
    expect(await page()).toMatchObject({ chargeback: { status }, answer })
  })

  test('support members can answer a dispute, but accountants cannot, and answers through another storefront or mode are refused', async () => {
    const accountant = await aMember(`reader${number}@example.com`, await merchantId(), 'accountant')
    expect(await page(null, accountant.cookies)).toMatchObject({ answering: null })
    expect(await send({ intent: 'evidence', statement: 'x' }, [], accountant.cookies)).toBeNull()
    const values = new URLSearchParams({ key: crypto.randomUUID(), intent: 'evidence', statement: 'x' })
    expect(await admin.submitAnswer(at('live'), id, { values, files: [] }, owner)).toBeNull()
    const other = await aSale({ price: '1.00' })
    const otherPlace = { mode: 'test', storefrontId: other.shop.storefrontId }
    expect(await admin.submitAnswer(otherPlace, id, { values, files: [] }, owner)).toBeNull()
    await expect(answerDispute(other.tenant, id, null)).rejects.toMatchObject({ code: 'not_found' })
    await drainTasks()
    expect(await rows()).toEqual([])
    expect(await page()).toMatchObject({ answer: null, chargeback: { status: 'pending' } })
    const support = await aMember(`helper${number}@example.com`, await merchantId(), 'support')
    expect(queryOf(await send({ intent: 'evidence', statement: 'x' }, [], support.cookies)).get('done')).toBe(
      'evidence',
    )
  })
})
