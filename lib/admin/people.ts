import { resetSecondFactor } from '../modules/operators/operations.ts'
import type { PeoplePage } from '../modules/operators/page.ts'
import { languageOf } from '../workflows/members/operations.ts'
import {
  checkInvited,
  checkRemoved,
  endStaffSessions,
  inviteStaff,
  listStaff,
  removeStaff,
} from '../workflows/staff/operations.ts'
import { staffOn } from './access.ts'
import { newFormKey } from './act.ts'
import { formState, type Next } from './form-state.ts'
import { staffAct } from './staff-act.ts'

const page = '/admin/people'

export async function peoplePage(form: string | null, cookies: string | null): Promise<PeoplePage | null> {
  const staff = await staffOn('people', cookies)
  if (!staff) return null
  const { typed, problems } = formState(staff, form, cookies)
  return {
    typed,
    problems,
    formKey: newFormKey(),
    people: (await listStaff()).map(({ createdAt, lastUsedAt, ...each }) => ({
      ...each,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      isSelf: each.id === staff.actor.id,
    })),
  }
}

export async function submitPeople(values: URLSearchParams, cookies: string | null): Promise<Next | null> {
  const staff = await staffOn('people', cookies)
  if (!staff) return null
  const by = staff.actor
  const form = { page, values, cookies }
  const text = (field: string) => (values.get(field) ?? '').trim().slice(0, 300)
  const [id, email] = [text('id'), text('email')]
  switch (values.get('intent')) {
    case 'invite': {
      const invited = () => ({ email, locale: languageOf(values.get('language') ?? 'en') })
      const check = () => checkInvited(invited().email)
      return staffAct(staff, form, { action: 'operator.invite', check }, async () => {
        await inviteStaff(invited(), by)
        return `${page}?done=invited`
      })
    }
    case 'remove':
      return staffAct(staff, form, { action: 'operator.remove', check: () => checkRemoved(id, by) }, async () => {
        await removeStaff(id, by)
        return `${page}?done=removed`
      })
    case 'end-sessions':
      return staffAct(staff, form, { action: 'operator.end_sessions' }, async () => {
        await endStaffSessions(id, by)
        return `${page}?done=sessionsEnded`
      })
    case 'reset':
      return staffAct(staff, form, { action: 'operator.reset_second_factor' }, async () => {
        await resetSecondFactor(email, by)
        return `${page}?done=reset`
      })
    default:
      return { redirectTo: page }
  }
}
