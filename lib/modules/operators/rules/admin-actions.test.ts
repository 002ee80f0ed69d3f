import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EmailKind } from '../../emails/rules/email.ts'
import { whyRequired } from '../../emails/rules/required.ts'
import { payoutMoves } from '../../payouts/rules/state.ts'
import { type AdminAction, adminActions, announcedBy, stepUpOf } from './admin-actions.ts'

const root = path.join(import.meta.dirname, '../../../..')
const admin = path.join(root, 'app/(admin)/admin')
const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })
const entries = Object.entries(adminActions) as [AdminAction, (typeof adminActions)[AdminAction]][]

const forms = filesIn(admin)
  .filter((file) => path.basename(file) === 'route.ts' && /\bPOST\b/.test(readFileSync(path.join(admin, file), 'utf8')))
  .map((file) =>
    path
      .dirname(file)
      .replace(/\(signed-in\)\/(?:\(service\)\/)?/, '')
      .replace(/\/(?:submit|end)$/, ''),
  )

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  move: payoutMoves,
  decision: ['accepted', 'rejected'],
  quickAction: ['retry', 'send-link'],
  action: ['cancel', 'cancelNow', 'pause', 'unpause', 'resume'],
}

const actionNames = /action: '([a-z_.]+)'|'(operator\.[a-z_]+)'/g

/** Lists the values of all buttons. If the value is a variable, lists all values of the variable. */
const buttons = filesIn(path.join(root, 'components/admin'))
  .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  .flatMap((file) => {
    const text = readFileSync(path.join(root, 'components/admin', file), 'utf8')
    return [...text.matchAll(/<button\b[^>]*\bname="intent"[^>]*\bvalue=(?:"([^"]+)"|\{(\w+)\})/g)]
  })
  .flatMap(([, literal, variable = '']) => (literal ? [literal] : (valuesOf[variable] ?? [`an unknown ${variable}`])))

describe('table of admin actions', () => {
  it('the table of admin actions contains exactly the forms of the admin area', () => {
    const named = entries.map(([, { form }]) => form.replace(/\/end$/, ''))
    expect([...new Set(named)].sort()).toEqual([...new Set(forms)].sort())
  })

  it('the table of admin actions has an entry for each button that changes data', () => {
    // `adminActions` has no entry for `preview`, because the preview of a brand saves nothing.
    const intents = new Set(entries.map(([, { intent }]) => intent))
    expect(buttons.filter((value) => value !== 'preview' && !intents.has(value))).toEqual([])
    expect(buttons.length).toBeGreaterThan(30)
  })

  it('the table of admin actions has an entry for each action in the audit log', () => {
    const folders = ['lib/admin', 'lib/workflows/members', 'lib/workflows/passkeys', 'lib/workflows/password-reset']
    const files = [
      ...folders.flatMap((folder) => filesIn(path.join(root, folder)).map((file) => `${folder}/${file}`)),
      ...['manage-sessions', 'signed-in', 'log-in', 'check-code', 'confirm'].map(
        (name) => `lib/modules/operators/${name}.ts`,
      ),
      'lib/workflows/storefronts/operations.ts',
    ].filter((file) => file.endsWith('.ts') && !file.endsWith('test.ts'))
    const named = files.flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(actionNames)].map(([, name, own]) => name ?? own ?? ''),
    )
    // The service locks an account after failed attempts, without an action in the admin area.
    const others = ['operator.locked']
    expect(named.filter((name) => !(name in adminActions) && !others.includes(name))).toEqual([])
    expect(named.length).toBeGreaterThan(20)
  })

  it('exactly the actions that change access or bank details, create a storefront, pay out, or erase a person need a new second-factor code', () => {
    const withCode = entries.filter(([, { stepUp }]) => stepUp === 'code').map(([action]) => action)
    expect(withCode.sort()).toEqual(
      [
        ...['member.change_role', 'member.invite', 'member.remove', 'key.create', 'key.rotate', 'storefront.create'],
        ...['payout.create', 'payout.request', 'payout.export', 'payout_account.change', 'customer.erase'],
        ...['operator.add_passkey', 'operator.confirm', 'operator.confirm_passkey', 'operator.remove_passkey'],
        ...['operator.invite', 'operator.remove', 'operator.reset_second_factor'],
      ].sort(),
    )
  })

  it('exactly the listed actions, which affect money, subscriptions, sessions, tax registrations, webhook endpoints, or personal data, need a recent second-factor code', () => {
    const recent = entries.filter(([, { stepUp }]) => stepUp === 'recent').map(([action]) => action)
    expect(recent.sort()).toEqual(
      [
        ...['customer_link.create', 'recovery.retry', 'refund.create', 'chargeback.accepted', 'chargeback.concede'],
        ...[
          'chargeback.rejected',
          'payout.cancel',
          'payout.confirm',
          'payout.return',
          'payout.schedule',
          'storefront.resume',
        ],
        ...['operator.end_sessions', 'customer.export', 'payout.confirm_file', 'payout.download'],
        ...['registration.add', 'registration.end'],
        ...['subscription.change', 'subscription.resume', 'subscription.unpause', 'endpoint.create', 'endpoint.update'],
      ].sort(),
    )
  })

  it('emails about changes of access cannot be switched off', () => {
    for (const [, { emails = {} }] of entries)
      for (const kind of Object.values(emails) as EmailKind[])
        expect([kind, whyRequired[kind]]).toEqual([kind, expect.any(String)])
  })

  it('a change of a sign-in method sends an email if the change could give an attacker access', () => {
    const own = entries.filter(([action]) => action.startsWith('operator.'))
    const silent = own.filter(([, { emails }]) => !emails?.person).map(([action]) => action)
    expect(silent.sort()).toEqual(
      [
        // None of these actions gives access: `sign_in` checks only the password, and a confirmation needs an open session.
        ...['operator.sign_in', 'operator.confirm', 'operator.confirm_passkey'],
        ...['operator.change_language', 'operator.end_session', 'operator.end_sessions', 'operator.sign_out'],
      ].sort(),
    )
    for (const action of ['operator.reset_password', 'operator.use_recovery_code'] as const)
      expect(announcedBy(action, false)).toEqual({ person: 'own_access_changed' })
  })

  it('an action that is marked `liveOnly` needs no second-factor code and sends no email in test mode', () => {
    expect([stepUpOf('key.create', false), stepUpOf('key.create', true)]).toEqual(['code', 'none'])
    expect([announcedBy('key.create', false), announcedBy('key.create', true)]).toEqual([
      { owners: 'access_changed' },
      {},
    ])
    expect([stepUpOf('member.invite', true), stepUpOf('refund.create', true)]).toEqual(['code', 'recent'])
  })
})
