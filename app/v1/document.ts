import { type Examples, openApi } from '@/lib/platform/http/openapi.ts'
import { endpoints } from './endpoints.ts'
import recorded from './examples.json' with { type: 'json' }
import { webhooks } from './webhooks.ts'

const tags = {
  Chargebacks: 'Disputes of payments, which the payment provider reports.',
  Checkouts: 'Hosted checkout pages, on which buyers pay.',
  Customers: 'Buyers, and links to the customer portal.',
  'One-off products': 'Products that are paid once.',
  Orders: 'Sales and renewals, with their lines, taxes and invoices.',
  'Payment links': 'Pages with a permanent address, on which anybody can buy.',
  Refunds: 'Money that is returned to a buyer.',
  'Subscription plans': 'Plans that renew after each billing interval.',
  Subscriptions: 'Subscriptions of customers: their terms, changes and ends.',
  'Test helpers': 'The clock and the payments of test mode. Only keys of test mode can use them.',
  Webhooks: 'Endpoints that receive events, and the events themselves.',
}

const examples: Examples = recorded

export const apiDocument = (place: { baseUrl: string; contact: { name: string; email: string | null } }) =>
  openApi({ endpoints, tags, webhooks, examples }, { ...place, version: '1' })
