import { expect } from 'vitest'
import type { Answer } from './shop.ts'
import { during, refused, subscriptionOf } from './subscription-events.ts'
import { ask, type Scenario, withoutPayment } from './subscription-scenario.ts'

export const change = (scenario: Scenario, body: object) => ask(scenario, 'PATCH /v1/subscriptions/{id}', body)
export const cancel = (scenario: Scenario, query = '') => ask(scenario, `DELETE /v1/subscriptions/{id}${query}`)
export const resume = (scenario: Scenario) => ask(scenario, 'POST /v1/subscriptions/{id}/resume')

export const changed = (scenario: Scenario, body: object) =>
  during(scenario, async () => {
    const reply = await change(scenario, body)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    expect(withoutPayment(reply.body)).toEqual(await subscriptionOf(scenario))
  })

export const refusedChange = (scenario: Scenario, body: object, field: string) =>
  refused(scenario, () => change(scenario, body), 'validation_failed', { field })

export const netsOf = (order: Answer): string[] => order.lines.map((line: Answer) => line.subtotal.value)
export const now = { applyImmediately: true }
export const invoiced = { applyImmediately: true, invoiceImmediately: true }
export const updatedNow = 'subscription.updated (updated_immediately)'
export const updatedOnRenewal = 'subscription.updated (updated_on_renewal)'
export const scheduled = 'subscription.update_scheduled'
