import { afterAll, describe, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import { mostNotes } from '../modules/customers/rules/note.ts'
import type { Role } from '../modules/operators/rules/access.ts'
import { newId } from '../platform/crypto/identity.ts'
import { db } from '../platform/db/db.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { ask, get, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { exportCustomer } from '../workflows/erasure/export.ts'
import { erase } from '../workflows/erasure/operations.ts'
import * as admin from './pages.ts'

afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const place = ({ shop }: Scenario, mode = 'test') => ({ mode, storefrontId: shop.storefrontId })
const member = async ({ shop }: Scenario, role: Role) => {
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({
    where: { id: shop.storefrontId },
    select: { merchant_id: true },
  })
  const email = `${role}-${crypto.randomUUID()}@example.com`
  return { email, ...(await aMember(email, merchant_id, role)) }
}

const send = (
  scenario: Scenario,
  by: string | null,
  values: Record<string, string>,
  { mode = 'test', customerId = scenario.customerId } = {},
) =>
  admin.submitCustomerNotes(
    place(scenario, mode),
    customerId,
    new URLSearchParams({ key: crypto.randomUUID(), ...values }),
    by,
  )
const add = (scenario: Scenario, by: string | null, text: string, key: string = crypto.randomUUID()) =>
  send(scenario, by, { intent: 'add-note', text, key })
const remove = (scenario: Scenario, by: string | null, note: string) =>
  send(scenario, by, { intent: 'delete-note', note })

const notesOn = async (scenario: Scenario, by: string | null) =>
  (await admin.customerPage(place(scenario), scenario.customerId, by))?.notes
const stored = ({ customerId }: Scenario) => db().customer_notes.findMany({ where: { customer_id: customerId } })

describe('the notes about a customer', () => {
  test('sending a note form twice adds one note, and the audit entry does not contain the text of the note', async () => {
    const scenario = await subscriptionScenario()
    const support = await member(scenario, 'support')
    const key = crypto.randomUUID()
    const both = await Promise.all([1, 2].map(() => add(scenario, support.cookies, ' First line\r\nSecond line ', key)))
    for (const next of both) expect(next?.redirectTo).toMatch(/\?done=noteAdded#notes$/)
    const page = await notesOn(scenario, support.cookies)
    expect(page?.notes).toMatchObject([
      { text: 'First line\nSecond line', author: support.email, createdAt: expect.any(String), mayDelete: true },
    ])
    const [entry, before] = await auditLog(null, 2)
    const note = page?.notes[0]?.id
    expect(entry).toMatchObject({ action: 'customer_note.create', subject: scenario.customerId, after: { note } })
    expect(JSON.stringify(entry?.after)).not.toContain('First line')
    expect(before?.action).not.toBe('customer_note.create')
  })

  test('a member can delete only the member’s own notes, and owners and staff can delete any note', async () => {
    const scenario = await subscriptionScenario()
    const [support, accountant, owner] = await Promise.all(
      (['support', 'accountant', 'owner'] as const).map((role) => member(scenario, role)),
    )
    const staff = await anOperator(`notes-${crypto.randomUUID()}@example.com`)
    for (const each of [support, accountant]) await add(scenario, each?.cookies ?? null, `by ${each?.email}`)
    await add(scenario, staff.cookies, 'by the staff')
    const shown = (await notesOn(scenario, support?.cookies ?? null))?.notes ?? []
    expect(shown.map(({ author, mayDelete }) => [author, mayDelete])).toEqual([
      [null, false],
      [accountant?.email, false],
      [support?.email, true],
    ])
    const [ofStaff = '', ofAccountant = '', own = ''] = shown.map(({ id }) => id)
    expect((await remove(scenario, support?.cookies ?? null, ofAccountant))?.redirectTo).toMatch(/failed=not_found/)
    expect(await stored(scenario)).toHaveLength(3)
    expect((await remove(scenario, support?.cookies ?? null, own))?.redirectTo).toMatch(/done=noteDeleted/)
    const [entry] = await auditLog(null, 1)
    expect(entry).toMatchObject({ action: 'customer_note.delete', subject: scenario.customerId, after: { note: own } })
    await remove(scenario, owner?.cookies ?? null, ofAccountant)
    await remove(scenario, owner?.cookies ?? null, ofStaff)
    expect(await stored(scenario)).toEqual([])
  })

  test('a developer can read notes but not write them, and a member of another merchant gets 404', async () => {
    const scenario = await subscriptionScenario()
    const other = await subscriptionScenario()
    const support = await member(scenario, 'support')
    await add(scenario, support.cookies, 'a note')
    const developer = await member(scenario, 'developer')
    const page = await notesOn(scenario, developer.cookies)
    expect(page).toMatchObject({ mayAdd: false, notes: [{ text: 'a note', mayDelete: false }] })
    const stranger = await member(other, 'owner')
    for (const by of [developer.cookies, stranger.cookies]) expect(await add(scenario, by, 'another note')).toBeNull()
    expect(await stored(scenario)).toHaveLength(1)
  })

  test('a customer note can be added and deleted only in the storefront and mode of its customer', async () => {
    const scenario = await subscriptionScenario()
    const other = await subscriptionScenario()
    const owner = await member(scenario, 'owner')
    const typed = { intent: 'add-note', text: 'a note' }
    expect(await send(scenario, owner.cookies, typed, { mode: 'live' })).toBeNull()
    expect(await send(scenario, owner.cookies, typed, { customerId: other.customerId })).toBeNull()
    const ofOther = await member(other, 'owner')
    await add(other, ofOther.cookies, 'a note of another storefront')
    const [note] = await stored(other)
    expect((await remove(scenario, owner.cookies, note?.id ?? ''))?.redirectTo).toMatch(/failed=not_found/)
    expect(await stored(other)).toHaveLength(1)
  })

  test.each([
    ['an empty text', ' \n ', /not be empty/],
    ['a text of 2,001 characters', 'x'.repeat(2001), /at most 2,000 characters/],
    ['a text with a control character', 'a\u0007b', /control characters/],
  ])('a customer note with %s is refused with an error on its field', async (_, text, problem) => {
    const scenario = await subscriptionScenario()
    const { cookies } = await member(scenario, 'support')
    const next = await add(scenario, cookies, text)
    const form = new URL(next?.redirectTo ?? '', 'http://localhost').searchParams.get('form')
    const after = `${cookies}; ${next?.cookie?.split(';')[0]}`
    const page = await admin.customerPage(place(scenario), scenario.customerId, after, form)
    expect(page?.notes).toMatchObject({ problem: expect.stringMatching(problem), notes: [] })
    expect(page?.notes.typed).toBe(text)
  })

  test('a customer note of 2,000 characters with CRLF line breaks is accepted', async () => {
    const scenario = await subscriptionScenario()
    const { cookies } = await member(scenario, 'support')
    await add(scenario, cookies, `${'x'.repeat(1000)}\r\n${'y'.repeat(999)}`)
    expect(await stored(scenario)).toMatchObject([{ text: `${'x'.repeat(1000)}\n${'y'.repeat(999)}` }])
  })

  test('concurrent submissions of the note form add at most 100 notes to a customer', async () => {
    const scenario = await subscriptionScenario()
    const { cookies } = await member(scenario, 'support')
    const row = { storefront_id: scenario.shop.storefrontId, testmode: true, customer_id: scenario.customerId }
    for (let n = 0; n < mostNotes - 1; n++)
      await db().customer_notes.create({
        data: { id: newId('note_', new Date()), ...row, text: `${n}`, author_id: 'operator_1', created_at: new Date() },
      })
    const results = await Promise.all(['a', 'b', 'c'].map((text) => add(scenario, cookies, text)))
    expect(results.filter((next) => next?.redirectTo.includes('done=noteAdded'))).toHaveLength(1)
    expect(await stored(scenario)).toHaveLength(mostNotes)
    expect(await notesOn(scenario, cookies)).toMatchObject({ isFull: true, mayAdd: false })
  })

  test('the API and its events do not contain customer notes', async () => {
    const scenario = await subscriptionScenario()
    const { cookies } = await member(scenario, 'support')
    await add(scenario, cookies, 'unheard-of words')
    const customer = await get(scenario.key, `/v1/customers/${scenario.customerId}`)
    expect(JSON.stringify(customer)).not.toContain('unheard-of')
    expect(await db().events.findMany({ where: { body: { contains: 'unheard-of' } } })).toEqual([])
  })

  test('a customer’s export contains the notes, and an erasure deletes the notes and prevents new notes', async () => {
    const scenario = await subscriptionScenario()
    const { cookies } = await member(scenario, 'support')
    await add(scenario, cookies, 'a note')
    expect(await exportCustomer(scenario.customerId)).toMatchObject({ notes: [{ text: 'a note' }] })
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    await db().emails.deleteMany({ where: { storefront_id: scenario.shop.storefrontId } })
    await erase(scenario.customerId)
    expect(await stored(scenario)).toEqual([])
    expect((await add(scenario, cookies, 'later'))?.redirectTo).toMatch(/failed=illegal_move/)
    expect(await notesOn(scenario, cookies)).toMatchObject({ mayAdd: false, notes: [] })
  })
})
