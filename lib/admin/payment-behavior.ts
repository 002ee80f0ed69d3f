import { failureReasons } from '../modules/payments/rules/failure.ts'
import type { PaymentBehaviorForm } from '../modules/subscriptions/page.ts'
import * as contract from '../modules/test-helpers/contract.ts'
import { setPaymentBehavior, validatePaymentBehavior } from '../workflows/test-helpers/operations.ts'
import type { Access } from './access.ts'
import { actByForm, newFormKey } from './act.ts'
import { type FormState, formState, type Next } from './form-state.ts'

/**
 * The form that sets the outcome of upcoming test payments. Null in each of these cases: the mode is live, the reader's role
 * cannot set outcomes, or the test provider does not charge the subscription.
 */
export async function paymentBehaviorForm(
  access: Access,
  id: string,
  form: string | null,
): Promise<PaymentBehaviorForm | null> {
  const { tenant } = access
  if (!tenant.testmode || !access.mayDo('subscription.set_payment_behavior')) return null
  if (Object.keys(await validatePaymentBehavior(tenant, id)).length > 0) return null
  const { typed, problems }: FormState = formState(access, form, access.cookies)
  return {
    chosen: typed.behavior ?? 'paid',
    reasons: failureReasons,
    times: typed.times ?? '',
    problems,
    formKey: newFormKey(),
  }
}

/** `behavior` is `paid` or a decline reason. */
export function submitPaymentBehavior(access: Access, id: string, page: string, form: URLSearchParams): Promise<Next> {
  const behavior = form.get('behavior') ?? ''
  const times = (form.get('times') ?? '').trim()
  const body =
    behavior === 'paid'
      ? { outcome: 'paid', times: times === '' ? null : Number(times) }
      : { outcome: 'failed', failureReason: behavior, times: times === '' ? null : Number(times) }
  return actByForm(
    access,
    { page, values: form },
    {
      endpoint: contract.setPaymentBehavior,
      params: { id },
      body,
      action: 'subscription.set_payment_behavior',
      subject: id,
      after: () => body,
    },
    ({ context, params, body }) => setPaymentBehavior(context, params.id, body),
    () => `${page}?done=paymentBehavior`,
  )
}
