import { afterAll, beforeAll, expect, test } from 'vitest'
import * as admin from '../../admin/pages.ts'
import { auditLog, verifyAudit } from '../../modules/audit/operations.ts'
import { db } from '../../platform/db/db.ts'
import { allRows } from '../../testing/all-rows.ts'
import { killedAt } from '../../testing/crash.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMember, anOperator, freshCodeOf, halfSignedIn } from '../../testing/operator.ts'
import { aShop } from '../../testing/shop.ts'

const email = 'maker@example.com'
let cookies: string | null = null

beforeAll(async () => {
  ;({ cookies } = await anOperator(email))
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const key = () => crypto.randomUUID()
const fields = (more: Record<string, string> = {}) =>
  new URLSearchParams({ name: 'Lumen', merchantName: 'Lumen GmbH', email: '', key: key(), ...more })
const submit = async (form: URLSearchParams, as = cookies) => {
  const sent = new URLSearchParams(form)
  sent.set('code', await freshCodeOf(as))
  return admin.submitNewStorefront(sent, as)
}
const counts = async () => ({
  merchants: await db().merchants.count(),
  storefronts: await db().storefronts.count(),
  invitations: await db().member_invitations.count(),
  audit: await db().audit_entries.count(),
})
const idIn = (next: Awaited<ReturnType<typeof submit>>) =>
  /^\/admin\/live\/(storefront_\w{22})\?done=created$/.exec(next?.redirectTo ?? '')?.[1] ?? ''

test('creating a storefront of a new merchant invites the owner and adds one audit entry', async () => {
  const before = await counts()
  const id = idIn(await submit(fields({ email: 'Owner@Lumen.example' })))
  expect(await counts()).toEqual({
    merchants: before.merchants + 1,
    storefronts: before.storefronts + 1,
    invitations: before.invitations + 1,
    audit: before.audit + 1,
  })
  const storefront = await db().storefronts.findUniqueOrThrow({
    where: { id },
    include: { merchant: true, keys: true },
  })
  expect(storefront).toMatchObject({ name: 'Lumen', merchant: { name: 'Lumen GmbH' }, keys: [] })
  const invitation = await db().member_invitations.findFirstOrThrow({ where: { merchant_id: storefront.merchant_id } })
  expect(invitation).toMatchObject({ email: 'owner@lumen.example', role: 'owner' })
  const [entry] = await auditLog(null, 1)
  expect(entry).toMatchObject({
    action: 'storefront.create',
    subject: id,
    actor: { kind: 'operator' },
    after: { merchantId: storefront.merchant_id, invitationId: invitation.id },
  })
  expect(JSON.stringify(entry?.after)).not.toContain('lumen.example')
  const emails = await db().emails.findMany({ where: { storefront_id: id } })
  expect(emails).toMatchObject([{ kind: 'member_invitation', testmode: false }])
  for (const mode of ['test', 'live'])
    expect(await admin.storefrontOverview({ mode, storefrontId: id }, {}, cookies)).not.toBeNull()
})

test('creating a further storefront of a merchant sends no invitation', async () => {
  const first = idIn(await submit(fields()))
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: first } })
  const row = (await admin.storefrontsPage({}, cookies))?.rows.find(({ id }) => id === first)
  expect(row?.newUrl).toBe(`/admin/storefronts/new?merchant=${merchant_id}`)
  expect((await admin.newStorefrontPage(merchant_id, null, cookies))?.merchant).toEqual({
    id: merchant_id,
    name: 'Lumen GmbH',
  })
  const before = await counts()
  const second = new URLSearchParams({ name: 'Lumen Pro', merchant: merchant_id, email: '', key: key() })
  const id = idIn(await submit(second))
  expect(await db().storefronts.findUnique({ where: { id } })).toMatchObject({ name: 'Lumen Pro', merchant_id })
  expect(await counts()).toEqual({ ...before, storefronts: before.storefronts + 1, audit: before.audit + 1 })
})

test('sending the form for a new storefront repeatedly and concurrently creates one storefront', async () => {
  const before = await counts()
  const form = fields({ email: 'twice@lumen.example', code: await freshCodeOf(cookies) })
  const click = () => admin.submitNewStorefront(form, cookies)
  const ids = (await Promise.all([click(), click(), click()])).map(idIn)
  ids.push(idIn(await click()))
  expect(new Set(ids)).toEqual(new Set([expect.stringMatching(/^storefront_/)]))
  expect(await counts()).toEqual({
    merchants: before.merchants + 1,
    storefronts: before.storefronts + 1,
    invitations: before.invitations + 1,
    audit: before.audit + 1,
  })
  // A form key is valid for one person only, so the same form from another person creates another storefront.
  const other = await anOperator('maker-2@example.com')
  expect(idIn(await submit(form, other.cookies))).not.toBe('')
  expect((await counts()).storefronts).toBe(before.storefronts + 2)
})

test('if the process is killed before any query, no part of a new storefront is created', async () => {
  const form = fields({ email: `dies-${key()}@lumen.example` })
  const before = await counts()
  let n = 1
  // The loop also kills the process before the queries that read the person's session.
  for (; await killedAt(n, 'before', () => submit(form)); n++) expect(await counts()).toEqual(before)
  expect(n).toBeGreaterThan(8)
  expect((await counts()).storefronts).toBe(before.storefronts + 1)
})

test.each([
  ['name', { name: '  ' }, 'Must have 1 to 255 characters, at least one of them visible.'],
  ['name', { name: 'x'.repeat(256) }, 'Must have 1 to 255 characters, at least one of them visible.'],
  ['merchantName', { merchantName: '' }, 'Must have 1 to 255 characters, at least one of them visible.'],
  ['email', { email: 'nobody' }, 'Must be an email address.'],
  ['merchant', { merchant: 'merchant_none' }, 'There is no merchant with this id.'],
])(
  'in the form for a new storefront, an invalid %s is refused with an error on its field, and the text is kept: %j',
  async (field, typed, sentence) => {
    const before = await allRows()
    const next = await submit(fields(typed))
    const url = new URL(next?.redirectTo ?? '', 'http://localhost')
    expect(url.pathname).toBe('/admin/storefronts/new')
    const left = `${cookies}; ${next?.cookie?.split(';')[0]}`
    const page = await admin.newStorefrontPage(null, url.searchParams.get('form'), left)
    expect(page).toMatchObject({ problems: { [field]: sentence } })
    expect(page?.typed).toMatchObject(typed)
    const { operator_sessions: _, operators: __, sign_in_failures: ___, ...unchanged } = before
    expect(await allRows()).toMatchObject(unchanged)
  },
)

test('the form for a new storefront creates nothing without a second-factor code', async () => {
  const before = await counts()
  for (const code of ['', '000000']) {
    const next = await admin.submitNewStorefront(fields({ code }), cookies)
    expect(next?.redirectTo).toMatch(/^\/admin\/storefronts\/new\?form=/)
  }
  expect(await counts()).toEqual(before)
})

test('the form for a new storefront creates nothing without a form key', async () => {
  const before = await counts()
  for (const bad of ['', 'x', key().toUpperCase()])
    expect((await submit(fields({ key: bad })))?.redirectTo).toMatch(
      /^\/admin\/storefronts\/new\?form=\w+&failed=illegal_move$/,
    )
  expect(await counts()).toEqual(before)
})

test('only staff can see the form for a new storefront and create storefronts', async () => {
  const { storefrontId } = await aShop()
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: storefrontId } })
  const member = await aMember('not-staff@example.com', merchant_id, 'owner')
  const half = await halfSignedIn(email)
  const before = await counts()
  for (const stranger of [null, '', half, member.cookies]) {
    expect(await admin.newStorefrontPage(null, null, stranger)).toBeNull()
    expect(await admin.newStorefrontPage(merchant_id, null, stranger)).toBeNull()
    expect(await submit(fields(), stranger)).toBeNull()
    expect(await submit(fields({ merchant: merchant_id }), stranger)).toBeNull()
  }
  expect(await counts()).toEqual(before)
  expect((await admin.storefrontsPage({}, member.cookies))?.newUrl).toBeNull()
  expect((await admin.storefrontsPage({}, member.cookies))?.rows.map(({ newUrl }) => newUrl)).toEqual([null])
  expect(await admin.newStorefrontPage('merchant_none', null, cookies)).toBeNull()
})

test('staff can filter the list of storefronts and its export by a part of the name', async () => {
  const name = `Ünique ${key()}`
  const next = await submit(fields({ name }))
  const id = idIn(next)
  const listed = async (typed: string, by = cookies) =>
    (await admin.storefrontsPage({ name: typed }, by))?.rows.map((row) => row.id)
  expect(await listed(` ${name.slice(2).toUpperCase()} `)).toEqual([id])
  expect(await listed('%')).toEqual([])
  expect((await listed(' '))?.length).toBeGreaterThan(1)
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id } })
  const member = await aMember(`${key()}@example.com`, merchant_id, 'owner')
  expect(await listed('%', member.cookies)).toEqual([id])
  const { exportUrl } = (await admin.storefrontsPage({ name }, cookies)) ?? {}
  const query = new URL(exportUrl ?? '', 'http://localhost').searchParams
  let file = ''
  for await (const part of (await admin.exportStaffCsv('storefronts', query, cookies))?.parts ?? []) file += part
  expect(
    file
      .trim()
      .split('\r\n')
      .map((line) => line.split(',')[0]),
  ).toEqual(['id', id])
})
