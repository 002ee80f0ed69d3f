import { addRegistration, endRegistration, listRegistrations } from '../modules/tax/operations.ts'
import type { RegistrationsPage } from '../modules/tax/page.ts'
import { realNow } from '../platform/clock/clock.ts'
import { staffOn } from './access.ts'
import { newFormKey } from './act.ts'
import { formState, type Next } from './form-state.ts'
import { lookAgain } from './reached.ts'
import { staffAct } from './staff-act.ts'

const page = '/admin/registrations'

export async function registrationsPage(
  form: string | null,
  cookies: string | null,
): Promise<RegistrationsPage | null> {
  const staff = await staffOn('registrations', cookies)
  if (!staff) return null
  const { typed, problems } = formState(staff, form, cookies)
  const today = realNow().toISOString().slice(0, 10)
  const registrations = (await listRegistrations()).map((each) => ({
    ...each,
    hasEnded: each.until !== null && each.until < today,
  }))
  return { registrations, typed, problems, formKey: newFormKey() }
}

export async function submitRegistrations(values: URLSearchParams, cookies: string | null): Promise<Next | null> {
  const staff = await staffOn('registrations', cookies)
  if (!staff) return null
  const form = { page, values, cookies }
  const text = (field: string) => (values.get(field) ?? '').trim().slice(0, 100)
  switch (values.get('intent')) {
    case 'add':
      return staffAct(staff, form, { action: 'registration.add' }, async () => {
        const given = { country: text('country').toUpperCase(), number: text('number'), from: text('from') }
        const [region, until] = [text('region').toUpperCase() || undefined, text('until') || undefined]
        await addRegistration({ ...given, scheme: text('scheme') || 'local', region, until }, staff.actor)
        lookAgain()
        return `${page}?done=added`
      })
    case 'end':
      return staffAct(staff, form, { action: 'registration.end' }, async () => {
        await endRegistration(text('id'), text('until'), staff.actor)
        lookAgain()
        return `${page}?done=ended`
      })
    default:
      return { redirectTo: page }
  }
}
