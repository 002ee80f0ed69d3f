import type { PortalChangePage } from '../modules/portal/page.ts'
import { changePage } from '../workflows/portal/load-change.ts'
import { submitChange } from '../workflows/portal/submit-change.ts'
import { setPortalChangesTyped } from '../workflows/storefronts/operations.ts'
import { aCheckout, aPlan, aProduct, pay, price } from './factories.ts'
import { portalCookies, portalVisitor } from './portal.ts'
import { drainTasks, pass, type Scenario, subscriptionScenario } from './subscription-scenario.ts'

export interface Changeable {
  readonly scenario: Scenario
  readonly dearer: { id: string }
  readonly yearly: { id: string }
  readonly cookies: string
}

/** Creates a subscription to 3 units for 100.00 each, ten days old. The customer can change the quantity and the plan. */
export async function changeable(of: Parameters<typeof subscriptionScenario>[0] = {}): Promise<Changeable> {
  const scenario = await subscriptionScenario({ item: { quantity: 3 }, ...of })
  const dearer = await aPlan(scenario.key, { name: 'Team', basePrice: price('150.00') })
  const yearly = await aPlan(scenario.key, { name: 'Yearly', interval: 'year', basePrice: price('1000.00') })
  await setPortalChangesTyped(scenario.shop.storefrontId, {
    quantity: true,
    planIds: [scenario.planId, dearer.id, yearly.id],
  })
  if (of.item && 'trialDays' in of.item) await buyBook(scenario)
  await pass(scenario, 'P10D')
  return { scenario, dearer, yearly, cookies: await portalCookies(scenario) }
}

async function buyBook({ key, customerId }: Scenario): Promise<void> {
  const { id } = await aProduct(key)
  await pay(key, await aCheckout(key, id, { customerId }))
  await drainTasks()
}

export async function shownChange(
  { scenario, cookies }: Changeable,
  of: Record<string, string>,
): Promise<PortalChangePage> {
  const page = await changePage(scenario.id, portalVisitor(cookies), new URLSearchParams(of))
  if (!page) throw new Error('not found')
  return page
}

export function changeForm({ values, preview }: PortalChangePage): URLSearchParams {
  if (!preview) throw new Error('there is nothing to confirm')
  return new URLSearchParams({
    plan: values.planId,
    quantity: values.quantity,
    terms: preview.terms,
    key: preview.formKey,
  })
}

export const confirmChange = ({ scenario, cookies }: Changeable, page: PortalChangePage) =>
  submitChange(scenario.id, changeForm(page), cookies)
