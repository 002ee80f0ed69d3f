import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { emailPage, membersPage, submitMembers } from '../../admin/pages.ts'
import { verifyAudit } from '../../modules/audit/operations.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { personOf, secondFactorPage, submitSignIn } from '../../modules/operators/manage-sessions.ts'
import { createMember, removeOperator } from '../../modules/operators/operations.ts'
import { type Role, roles } from '../../modules/operators/rules/access.ts'
import { db } from '../../platform/db/db.ts'
import { newestEntry } from '../../testing/admin-forms.ts'
import { allRows } from '../../testing/all-rows.ts'
import { decisive, killedAt } from '../../testing/crash.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { aMember, anOperator, freshCodeOf, halfSignedIn, operatorAddress } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { invitationPage, loadInvitation } from './load-invitation.ts'
import { submitInvitation } from './submit-invitation.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const password = 'correct horse battery'
const browser = { address: operatorAddress, name: 'Test' }
let made = 0

interface Team {
  readonly shop: Shop
  readonly merchantId: string
  readonly ownerId: string
  readonly cookies: string | null
}
async function aTeam(): Promise<Team> {
  const shop = await aShop()
  const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  const { operatorId: ownerId, cookies } = await aMember(`owner${++made}@example.com`, merchantId, 'owner')
  return { shop, merchantId, ownerId, cookies }
}
const addMember = (team: Team, role: Role) => aMember(`${role}${++made}@example.com`, team.merchantId, role)

const place = ({ shop }: Team, mode = 'test') => ({ mode, storefrontId: shop.storefrontId })
const submit = async (team: Team, fields: Record<string, string>, cookies = team.cookies) => {
  const code = fields.code ?? (await freshCodeOf(cookies))
  return submitMembers(place(team), new URLSearchParams({ key: crypto.randomUUID(), ...fields, code }), cookies)
}
const shown = async (team: Team) => {
  const page = await membersPage(place(team), null, team.cookies)
  if (!page) throw new Error('there is no page')
  return page
}
async function problemsOf(team: Team, fields: Record<string, string>) {
  const next = await submit(team, fields)
  const form = new URL(next?.redirectTo ?? '', 'http://localhost').searchParams.get('form')
  return (await membersPage(place(team), form, `${team.cookies}; ${next?.cookie?.split(';')[0]}`))?.problems
}

async function tokens({ shop }: Team): Promise<string[]> {
  const emails = await listEmails(shop.storefrontId, { testmode: false })
  return emails
    .filter(({ kind }) => kind === 'member_invitation')
    .reverse()
    .map(({ text }) => /\/admin\/invitation\/([\w-]{43})\n/.exec(text)?.[1] ?? '')
}
async function invited(team: Team, email: string, role: Role = 'support'): Promise<string> {
  expect((await submit(team, { intent: 'invite', email, role }))?.redirectTo).toMatch(/\?done=invited$/)
  return (await tokens(team)).at(-1) ?? ''
}
const accept = (token: string, given = password) =>
  submitInvitation(token, new URLSearchParams({ password: given }), browser)

describe('an invitation', () => {
  let team: Team
  let email: string
  beforeEach(async () => {
    team = await aTeam()
    email = `new${++made}@example.com`
  })

  test('an invitation is emailed with a link to set up a password and then a second factor', async () => {
    const token = await invited(team, ` ${email.replace('new', 'NEW')} `)
    for (let looked = 0; looked < 3; looked++) {
      expect(await invitationPage(token)).toEqual({ state: 'open', merchant: 'Lumen Software', email, role: 'support' })
      expect((await loadInvitation(token)).status).toBe(200)
    }
    expect((await shown(team)).invitations).toMatchObject([{ email, role: 'support', isExpired: false }])
    const next = await accept(token)
    expect(next).toMatchObject({ redirectTo: '/admin/second-factor', cookie: expect.stringMatching(/SameSite=Strict/) })
    const half = next?.cookie?.split(';')[0] ?? null
    expect(await personOf(half)).toBeNull()
    expect((await secondFactorPage(half))?.kind).toBe('set_up')
    expect(await halfSignedIn(email)).not.toBeNull()
    expect(await shown(team)).toMatchObject({
      members: [
        { role: 'owner', isSelf: true },
        { email, role: 'support', isSelf: false, hasSecondFactor: false },
      ],
      invitations: [],
    })
  })

  test('an invitation email names the sender and the role, and the list of emails hides the link', async () => {
    const token = await invited(team, email)
    const emails = await listEmails(team.shop.storefrontId)
    const listed = emails.find(({ kind }) => kind === 'member_invitation')
    expect(listed).toMatchObject({
      to: email,
      testmode: false,
      subject: 'Invitation to the admin area of Lumen Software',
    })
    expect(listed?.text).toMatch(/^owner\d+@example.com invites you to the admin area of Lumen Software\./m)
    const page = await emailPage(place(team, 'live'), listed?.id ?? '', team.cookies)
    expect(page?.text).toContain('/admin/invitation/…')
    expect(page?.text).not.toContain(token)
  })

  test('the database contains no token of an invitation, and the audit log contains no email address', async () => {
    const token = await invited(team, email)
    const entries = [await newestEntry()]
    await accept(token)
    entries.push(await newestEntry())
    expect(entries).toMatchObject([
      { action: 'member.invite', subject: team.merchantId, actor: { kind: 'member', id: team.ownerId } },
      { action: 'member.accept_invitation', after: { role: 'support', merchantId: team.merchantId } },
    ])
    const written = (value: unknown) =>
      JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
    expect(written(entries)).not.toContain('@')
    expect(written(await allRows())).not.toContain(token)
  })

  test('an invitation ends if the person accepts another merchant’s invitation', async () => {
    const [token, other] = [await invited(team, email), await invited(await aTeam(), email)]
    expect((await loadInvitation(other)).status).toBe(200)
    await accept(token)
    expect(await invitationPage(other)).toMatchObject({ state: 'taken', email })
    expect((await loadInvitation(other)).status).toBe(410)
    const before = await allRows()
    expect(await accept(other, 'short')).toEqual({ redirectTo: `/admin/invitation/${other}` })
    expect(await allRows()).toEqual(before)
  })

  test('an invitation can be accepted once', async () => {
    const token = await invited(team, email)
    await accept(token)
    expect([await invitationPage(token), (await loadInvitation(token)).status]).toEqual([{ state: 'over' }, 410])
    const before = await allRows()
    expect(await accept(token, 'another password')).toEqual({ redirectTo: `/admin/invitation/${token}` })
    expect(await allRows()).toEqual(before)
  })

  test('concurrent acceptances of an invitation create one log-in', async () => {
    const token = await invited(team, email)
    const { id } = await db().member_invitations.findFirstOrThrow({ where: { email } })
    const racers = Array.from({ length: 8 }, () => () => accept(token))
    const ends = await raceBehind(lockOn('member_invitations', id), racers, 2)
    const cookies = ends.filter((end) => end.status === 'fulfilled' && end.value?.cookie)
    expect(cookies).toHaveLength(1)
    expect(await db().operators.count({ where: { email } })).toBe(1)
    expect(await db().operator_sessions.count({ where: { operator: { email } } })).toBe(1)
  })

  test.each(['before', 'after'] as const)(
    'if the process is killed %s the commit of an acceptance, one log-in is created',
    async (moment) => {
      const token = await invited(team, email)
      expect(await killedAt(1, moment, () => accept(token), decisive())).toBe(true)
      await accept(token)
      expect(await halfSignedIn(email)).not.toBeNull()
      expect((await shown(team)).members).toHaveLength(2)
    },
  )

  test('an invitation ends after seven days, when it is withdrawn, or when a new invitation replaces it', async () => {
    const [first, second] = [await invited(team, email), await invited(team, email)]
    expect((await loadInvitation(first)).status).toBe(410)
    expect((await loadInvitation(second)).status).toBe(200)
    await db().member_invitations.updateMany({ where: { email }, data: { expires_at: new Date() } })
    expect((await loadInvitation(second)).status).toBe(410)
    const third = await invited(team, email, 'developer')
    const [{ id = '' } = {}] = (await shown(team)).invitations
    expect((await submit(team, { intent: 'withdraw', id }))?.redirectTo).toMatch(/\?done=withdrawn$/)
    expect((await submit(team, { intent: 'withdraw', id }))?.redirectTo).toMatch(/\?failed=not_found$/)
    for (const token of [first, second, third]) {
      expect(await invitationPage(token)).toEqual({ state: 'over' })
      expect(await accept(token)).toEqual({ redirectTo: `/admin/invitation/${token}` })
    }
    expect(await db().operators.count({ where: { email } })).toBe(0)
  })

  test('an invitation requires a password of at least 12 characters, and stays valid after a refused password', async () => {
    const token = await invited(team, email)
    for (const given of ['', 'eleven chars'.slice(0, 11), 'x'.repeat(201)])
      expect(await accept(token, given)).toEqual({ redirectTo: `/admin/invitation/${token}?problem=password` })
    expect((await loadInvitation(token)).status).toBe(200)
  })

  test.each(['', 'x', 'a'.repeat(43), '../../etc', `${'a'.repeat(42)}=`])(
    'the page and the form of an invitation do not accept the unknown token %j',
    async (token) => {
      expect([await invitationPage(token), await accept(token), (await loadInvitation(token)).status]).toEqual([
        null,
        null,
        404,
      ])
    },
  )

  test('only the recipient of an invitation learns whether the address already has a log-in', async () => {
    const other = await aTeam()
    const [stranger] = (await shown(other)).members
    const [known, unknown] = [stranger?.email ?? '', email]
    const before = await newestEntry()
    for (const to of [known, unknown])
      expect((await submit(team, { intent: 'invite', email: to, role: 'owner' }))?.redirectTo).toMatch(
        /\?done=invited$/,
      )
    expect(before).not.toEqual(await newestEntry())
    const { invitations } = await shown(team)
    expect(invitations.map(({ email: to, ...row }) => [to, row.role, row.isExpired])).toEqual([
      [unknown, 'owner', false],
      [known, 'owner', false],
    ])
    const emails = await listEmails(team.shop.storefrontId, { testmode: false })
    expect(emails.filter(({ to }) => [known, unknown].includes(to)).map(({ kind }) => kind)).toEqual([
      'member_invitation',
      'member_invitation',
    ])
    const [ofKnown = '', ofUnknown = ''] = await tokens(team)
    expect(await invitationPage(ofKnown)).toMatchObject({ state: 'taken', email: known })
    expect([(await loadInvitation(ofKnown)).status, (await loadInvitation(ofUnknown)).status]).toEqual([410, 200])
    expect(await accept(ofKnown)).toEqual({ redirectTo: `/admin/invitation/${ofKnown}` })
    expect(await db().operators.count({ where: { merchant_id: team.merchantId } })).toBe(1)
  })

  test('an invitation to an invalid address, to a member’s address, or with an unknown role is refused', async () => {
    const [own] = (await shown(team)).members
    const asked = (to: string) => problemsOf(team, { intent: 'invite', email: to, role: 'owner' })
    expect(await asked('nobody')).toEqual({ email: 'Must be an email address.' })
    expect(await asked(own?.email ?? '')).toEqual({ email: 'This person is already a member.' })
    for (const role of ['', 'operator', 'constructor', 'Owner'])
      expect(await problemsOf(team, { intent: 'invite', email, role })).toMatchObject({ role: expect.any(String) })
    expect(await tokens(team)).toEqual([])
  })

  test('if two merchants invite one address, the first accepted invitation creates the log-in', async () => {
    const other = await aTeam()
    const [first, second] = [await invited(team, email), await invited(other, email)]
    await accept(first)
    expect(await accept(second)).toEqual({ redirectTo: `/admin/invitation/${second}` })
    expect(await db().operators.findMany({ where: { email } })).toMatchObject([{ merchant_id: team.merchantId }])
  })

  test('several submissions of the same invitation form create one invitation', async () => {
    const fields = { intent: 'invite', email, role: 'support', key: crypto.randomUUID() }
    for (let n = 0; n < 3; n++) await submit(team, fields)
    expect(await tokens(team)).toHaveLength(1)
  })

  test('a merchant can send fifty invitations per day, and a refused invitation does not use up the second-factor code', async () => {
    const expires = new Date(Date.now() + 60_000)
    const rows = Array.from({ length: 50 }, (_, n) => ({
      id: `invitation_${made}_${n}`,
      merchant_id: team.merchantId,
      email: `n${n}@example.com`,
      role: 'support' as const,
      token_hash: Buffer.from(`${email}${n}`),
      invited_by: 'x',
      created_at: new Date(),
      expires_at: expires,
    }))
    await db().member_invitations.createMany({ data: rows })
    const fields = { intent: 'invite', email, role: 'support', code: await freshCodeOf(team.cookies) }
    expect(await problemsOf(team, fields)).toMatchObject({ email: expect.stringMatching(/^Too many/) })
    await db().member_invitations.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } })
    expect((await submit(team, fields))?.redirectTo).toMatch(/\?done=invited$/)
  })
})

describe('a member', () => {
  test('the new role of a member applies immediately', async () => {
    const team = await aTeam()
    const { operatorId: id, cookies } = await addMember(team, 'support')
    expect((await submit(team, { intent: 'role', id, role: 'accountant' }))?.redirectTo).toMatch(/\?done=changed$/)
    expect((await personOf(cookies))?.membership?.role).toBe('accountant')
    expect(await newestEntry()).toMatchObject({
      action: 'member.change_role',
      subject: id,
      after: { from: 'support', to: 'accountant' },
    })
  })

  test('removing a member ends the member’s sessions, log-in, and invitations', async () => {
    const team = await aTeam()
    const { operatorId: id, cookies } = await addMember(team, 'owner')
    const email = (await personOf(cookies))?.email ?? ''
    const token = await invited({ ...team, cookies }, `friend${made}@example.com`, 'owner')
    expect((await submit(team, { intent: 'remove', id }))?.redirectTo).toMatch(/\?done=removed$/)
    expect(await personOf(cookies)).toBeNull()
    expect(await membersPage(place(team), null, cookies)).toBeNull()
    const refused = await submitSignIn(new URLSearchParams({ email, password }), browser)
    expect(refused.redirectTo).toMatch(/^\/admin\/sign-in\?refused/)
    expect((await loadInvitation(token)).status).toBe(410)
    expect(await newestEntry()).toMatchObject({ action: 'member.remove', subject: id, after: { role: 'owner' } })
    expect((await submit(team, { intent: 'remove', id }))?.redirectTo).toMatch(/\?failed=not_found$/)
    expect(await invited(await aTeam(), email)).toMatch(/^[\w-]{43}$/)
  })

  test('the invitations by an owner are withdrawn if the owner gets another role', async () => {
    const team = await aTeam()
    const { operatorId: id, cookies } = await addMember(team, 'owner')
    const token = await invited({ ...team, cookies }, `again${made}@example.com`, 'owner')
    const others = await invited(team, `others${made}@example.com`)
    await submit(team, { intent: 'role', id, role: 'owner' })
    expect((await loadInvitation(token)).status).toBe(200)
    await submit(team, { intent: 'role', id, role: 'support' })
    expect([(await loadInvitation(token)).status, (await loadInvitation(others)).status]).toEqual([410, 200])
  })

  test('the command that removes an operator withdraws the operator’s invitations, and refuses to remove a member', async () => {
    const team = await aTeam()
    const { email } = await db().operators.findUniqueOrThrow({ where: { id: team.ownerId } })
    await expect(removeOperator(email)).rejects.toMatchObject({
      on: { email: [expect.stringMatching(/under Members/)] },
    })
    expect(await personOf(team.cookies)).not.toBeNull()
    const staff = `staff${++made}@example.com`
    const { cookies } = await anOperator(staff)
    const [others, owners] = [
      await invited({ ...team, cookies }, `operators${made}@example.com`),
      await invited(team, `owners${made}@example.com`),
    ]
    expect(await removeOperator(staff)).toMatchObject({ endedSessions: 1, withdrawnInvitations: 1 })
    expect([(await loadInvitation(others)).status, (await loadInvitation(owners)).status]).toEqual([410, 200])
  })

  test('the last owner of a merchant can be neither removed nor given another role', async () => {
    const team = await aTeam()
    const id = team.ownerId
    const problem = { member: 'A merchant must have at least one owner.' }
    expect(await problemsOf(team, { intent: 'remove', id })).toEqual(problem)
    expect(await problemsOf(team, { intent: 'role', id, role: 'support' })).toEqual(problem)
    expect((await personOf(team.cookies))?.membership?.role).toBe('owner')
  })

  test('if two owners remove each other concurrently, one owner remains', async () => {
    const team = await aTeam()
    const { operatorId: id, cookies } = await addMember(team, 'owner')
    await raceBehind(lockOn('merchants', team.merchantId), [
      () => submit(team, { intent: 'remove', id }),
      () => submit(team, { intent: 'remove', id: team.ownerId }, cookies),
    ])
    expect(await db().operators.count({ where: { merchant_id: team.merchantId } })).toBe(1)
  })

  test.each(roles.filter((role) => role !== 'owner'))(
    'the role %s can neither see nor change members',
    async (role) => {
      const team = await aTeam()
      const { operatorId: id, cookies } = await addMember(team, role)
      const before = await allRows()
      expect(await membersPage(place(team), null, cookies)).toBeNull()
      for (const fields of [
        { intent: 'role', id, role: 'owner' },
        { intent: 'remove', id: team.ownerId },
        { intent: 'invite', email: 'friend@example.com', role: 'owner' },
      ])
        expect(await submit(team, { ...fields, code: '' }, cookies)).toBeNull()
      expect(await allRows()).toEqual(before)
    },
  )

  test('a request about a member of another merchant, an operator, or an unknown id gets "not found"', async () => {
    const [team, other] = [await aTeam(), await aTeam()]
    const token = await invited(other, `new${made}@example.com`)
    const { id: invitation } = await db().member_invitations.findFirstOrThrow({
      where: { merchant_id: other.merchantId },
    })
    for (const id of [other.ownerId, 'operator_0', ''])
      for (const fields of [
        { intent: 'remove', id },
        { intent: 'role', id, role: 'support' },
      ])
        expect((await submit(team, fields))?.redirectTo).toMatch(/[?&]failed=not_found$/)
    expect((await submit(team, { intent: 'withdraw', id: invitation }))?.redirectTo).toMatch(/\?failed=not_found$/)
    expect(await membersPage(place(other), null, team.cookies)).toBeNull()
    expect(await submit(other, { intent: 'remove', id: other.ownerId }, team.cookies)).toBeNull()
    expect((await loadInvitation(token)).status).toBe(200)
    expect(await createMember({ ...other, email: `x${made}@example.com`, password, role: 'support' })).toBeDefined()
  })
})
