import { afterAll, describe, expect, test } from 'vitest'
import { membersPage, submitMembers } from '../../admin/pages.ts'
import type { Locale } from '../../kernel/locale.ts'
import { auditLog, verifyAudit } from '../../modules/audit/operations.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { sessionsPage, submitLanguage } from '../../modules/operators/manage-sessions.ts'
import { createMember } from '../../modules/operators/operations.ts'
import { changeAccount } from '../../modules/payouts/accounts.ts'
import { db } from '../../platform/db/db.ts'
import { allRows } from '../../testing/all-rows.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMember, freshCodeOf, operatorAddress } from '../../testing/operator.ts'
import { aShop, runDueTasks } from '../../testing/shop.ts'
import { submitForgotten } from '../password-reset/submit-password-reset.ts'
import { submitInvitation } from './submit-invitation.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const password = 'correct horse battery'

async function aTeam(name: string) {
  const shop = await aShop()
  const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  const { operatorId, cookies } = await aMember(`${name}@example.com`, merchantId, 'owner')
  const place = { mode: 'live', storefrontId: shop.storefrontId }
  const invite = async (fields: Record<string, string>) => {
    const code = await freshCodeOf(cookies)
    const form = { key: crypto.randomUUID(), intent: 'invite', role: 'owner', code, ...fields }
    return submitMembers(place, new URLSearchParams(form), cookies)
  }
  return { shop, merchantId, operatorId, cookies, place, invite }
}

const invitationOf = async ({ shop }: { shop: { storefrontId: string } }) =>
  (await listEmails(shop.storefrontId, { testmode: false })).find(({ kind }) => kind === 'member_invitation')

const choose = (language: string, cookies: string | null) => submitLanguage(new URLSearchParams({ language }), cookies)
const languageOf = async (email: string) => (await db().operators.findUniqueOrThrow({ where: { email } })).locale

const invitations: Record<Locale, string> = {
  en: 'Invitation to the admin area of Lumen Software',
  de: 'Einladung',
  fr: 'Invitation',
  nl: 'Uitnodiging',
  es: 'Invitación',
  it: 'Invito',
  pt: 'Convite',
  pl: 'Zaproszenie',
}

describe('the language of a member', () => {
  test.each(Object.entries(invitations))(
    'the invitation determines the language of a member: %s',
    async (locale, subject) => {
      const team = await aTeam(`lang-${locale}`)
      const email = `invited-${locale}@example.com`
      expect((await team.invite({ email, language: locale }))?.redirectTo).toMatch(/\?done=invited$/)
      const invitation = await invitationOf(team)
      expect(invitation).toMatchObject({ locale, subject: expect.stringContaining(subject) })
      const [, token = ''] = /\/admin\/invitation\/([\w-]{43})\n/.exec(invitation?.text ?? '') ?? []
      await submitInvitation(token, new URLSearchParams({ password }), { address: operatorAddress, name: 'Test' })
      expect(await languageOf(email)).toBe(locale)
    },
  )

  test('the default language of a member is English, and an unknown language is refused', async () => {
    const team = await aTeam('lang-none')
    await team.invite({ email: 'lang-default@example.com' })
    const invitation = await invitationOf(team)
    expect(invitation?.locale).toBe('en')
    await freshCodeOf(team.cookies)
    const before = await allRows()
    const next = await team.invite({ email: 'lang-xx@example.com', language: 'xx' })
    const form = new URL(next?.redirectTo ?? '', 'http://localhost').searchParams.get('form')
    const page = await membersPage(team.place, form, `${team.cookies}; ${next?.cookie?.split(';')[0]}`)
    expect(page?.problems).toEqual({ language: 'Choose one of the offered values.' })
    expect(page?.typed.email).toBe('lang-xx@example.com')
    expect(await allRows()).toEqual(before)
  })

  test('a member chooses a language on the account page, with an entry in the audit log', async () => {
    const { cookies, operatorId } = await aTeam('lang-chooser')
    expect((await sessionsPage(cookies))?.language).toBe('en')
    expect((await choose('nl', cookies)).redirectTo).toBe('/admin/sessions?done=languageChanged')
    expect((await sessionsPage(cookies))?.language).toBe('nl')
    expect((await auditLog(null, 1))[0]).toMatchObject({
      action: 'operator.change_language',
      subject: operatorId,
      before: { locale: 'en' },
      after: { locale: 'nl' },
    })
    const before = await db().audit_entries.count()
    await choose('nl', cookies)
    for (const other of ['', 'xx', 'NL']) await choose(other, cookies)
    expect((await choose('de', null)).redirectTo).toBe('/admin/sign-in')
    expect((await sessionsPage(cookies))?.language).toBe('nl')
    expect(await db().audit_entries.count()).toBe(before)
  })

  test('an email about bank details or a password is in the language of its recipient', async () => {
    const team = await aTeam('lang-bank')
    await choose('fr', team.cookies)
    await createMember({
      email: 'lang-bank-de@example.com',
      password,
      merchantId: team.merchantId,
      role: 'owner',
      locale: 'de',
    })
    await changeAccount(
      { storefrontId: team.shop.storefrontId, testmode: false },
      { holder: 'Lumen B.V.', iban: 'NL91ABNA0417164300' },
    )
    const emails = await listEmails(team.shop.storefrontId, { testmode: false })
    expect(emails.map(({ to, locale, subject }) => [to, locale, subject]).sort()).toEqual([
      ['lang-bank-de@example.com', 'de', 'Die Bankverbindung von Lumen Software wurde geändert'],
      ['lang-bank@example.com', 'fr', 'Les coordonnées bancaires de Lumen Software ont été modifiées'],
    ])
    await submitForgotten(new URLSearchParams({ email: 'lang-bank@example.com' }))
    await runDueTasks()
    expect(await db().emails.findMany({ where: { kind: 'password_reset' }, select: { locale: true } })).toEqual([
      { locale: 'fr' },
    ])
  })
})
