import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import type { SuspensionPage } from '../modules/accounts/page.ts'
import type { Storefront } from '../modules/accounts/store.ts'
import { countSubscriptions } from '../modules/subscriptions/counts.ts'
import { monthlyRecurring } from '../modules/subscriptions/rules/recurring.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import type { RequestContext } from '../platform/jobs/transact.ts'
import { resume, suspend } from '../workflows/storefronts/operations.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once, refused } from './act.ts'
import { formState, type Next } from './form-state.ts'

export const suspensionOf = ({ suspension }: Storefront) =>
  suspension && { since: toWire(suspension.since), reason: suspension.reason }

export async function suspensionPage(
  place: StorefrontPath,
  form: string | null,
  cookies: string | null,
): Promise<SuspensionPage | null> {
  const access = await accessTo(place, 'suspension', cookies)
  if (!access) return null
  const { typed, problems } = formState(access, form, cookies)
  return {
    suspension: suspensionOf(access.storefront),
    reason: typed.reason ?? '',
    problem: problems.reason ?? null,
    formKey: newFormKey(),
    isOnHold: access.storefront.heldAt !== null,
    renewals: {
      test: await renewalsOf({ ...access.tenant, testmode: true }),
      live: await renewalsOf({ ...access.tenant, testmode: false }),
    },
  }
}

async function renewalsOf(tenant: Tenant) {
  const groups = await countSubscriptions(db(), tenant)
  const active = groups.filter(({ status }) => status === 'active')
  return {
    active: active.reduce((all, { count }) => all + count, 0),
    monthly: monthlyRecurring(groups).map(({ minor, currency }) => amount(minor, currency)),
  }
}

export async function submitSuspension(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'suspension', values.get('intent'), cookies)
  if (!access) return null
  const page = `${access.path}/suspension`
  const run = async (intent: 'suspend' | 'resume', work: (call: RequestContext) => Promise<unknown>): Promise<Next> => {
    const refusal = await once(
      access,
      values,
      {
        path: `/admin/suspension/${intent}`,
        content: values.get('reason'),
        action: `storefront.${intent}` as const,
        subject: access.storefront.id,
      },
      work,
    )
    return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=${intent}` }
  }
  switch (values.get('intent')) {
    case 'suspend':
      return run('suspend', async (call) => suspend(call, values.get('reason') ?? ''))
    case 'resume':
      return run('resume', resume)
    default:
      return { redirectTo: page }
  }
}
