import { toWire } from '../kernel/moment.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { MembersPage } from '../modules/operators/page.ts'
import type { AdminAction } from '../modules/operators/rules/admin-actions.ts'
import { logInEmail } from '../modules/operators/rules/invitation.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import type { RequestContext } from '../platform/jobs/transact.ts'
import { checkInvitation } from '../workflows/members/invite.ts'
import {
  changeRole,
  checkMember,
  invite,
  languageOf,
  listMembers,
  removeMember,
  roleOf,
  withdraw,
} from '../workflows/members/operations.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once, refused } from './act.ts'
import { exportOf } from './export.ts'
import { formState, type Next } from './form-state.ts'

export async function membersPage(
  place: StorefrontPath,
  form: string | null,
  cookies: string | null,
): Promise<MembersPage | null> {
  const access = await accessTo(place, 'members', cookies)
  if (!access) return null
  const { id: merchantId, name: merchant } = access.storefront.merchant
  const { members, invitations } = await listMembers(merchantId)
  const { typed, problems } = formState(access, form, cookies)
  return {
    merchant,
    typed,
    problems,
    formKey: newFormKey(),
    ...exportOf(access, 'members'),
    members: members.map(({ id, email, role, createdAt, hasSecondFactor }) => ({
      id,
      email,
      role,
      createdAt: toWire(createdAt),
      hasSecondFactor,
      isSelf: id === access.actor.id,
    })),
    invitations: invitations.map(({ id, email, role, expiresAt, isExpired }) => ({
      id,
      email,
      role,
      expiresAt: toWire(expiresAt),
      isExpired,
    })),
  }
}

export async function submitMembers(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'members', values.get('intent'), cookies)
  if (!access) return null
  const page = `${access.path}/members`
  const { merchant } = access.storefront
  const id = values.get('id') ?? ''
  const of = { merchantId: merchant.id, id }
  const role = values.get('role') ?? ''
  const run = <Result>(
    action: AdminAction,
    { done, check }: { done: string; check?: () => Promise<unknown> },
    work: (call: RequestContext) => Promise<Result>,
  ) => submit(access, { page, values }, { action, subject: id || merchant.id, done, check }, work)
  switch (values.get('intent')) {
    case 'invite': {
      const email = (values.get('email') ?? '').slice(0, 300)
      const language = values.get('language') ?? 'en'
      // Emails to merchants state the name of the seller instead of the email address of a staff member.
      const by = { id: access.actor.id, name: access.role === null ? config().seller.name : access.email }
      const invited = () => ({ email: logInEmail(email), role: roleOf(role), locale: languageOf(language) })
      return run(
        'member.invite',
        { done: 'invited', check: () => checkInvitation(db(), merchant.id, invited().email) },
        async (call) => invite(call, { merchant, ...invited(), by, action: 'member.invite' }),
      )
    }
    case 'withdraw':
      return run('member.withdraw_invitation', { done: 'withdrawn' }, (call) => withdraw(call, of))
    case 'role':
      return run(
        'member.change_role',
        { done: 'changed', check: async () => checkMember(of, roleOf(role)) },
        async (call) => changeRole(call, { ...of, role: roleOf(role) }, access.actor),
      )
    case 'remove':
      return run('member.remove', { done: 'removed', check: () => checkMember(of, null) }, (call) =>
        removeMember(call, of, access.actor),
      )
    default:
      return { redirectTo: page }
  }
}

interface Submitted {
  readonly action: AdminAction
  readonly subject: string
  readonly done: string
  readonly check: (() => Promise<unknown>) | undefined
}

async function submit<Result>(
  access: Access,
  { page, values }: { page: string; values: URLSearchParams },
  { action, subject, done, check }: Submitted,
  work: (call: RequestContext) => Promise<Result>,
): Promise<Next> {
  const content = ['intent', 'id', 'email', 'role', 'language'].map((field) => values.get(field))
  const entry = { action, subject, path: page, content, after: (result: Result) => result, ...(check && { check }) }
  const refusal: Refusal | null = await once(access, values, entry, work)
  return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=${done}` }
}
