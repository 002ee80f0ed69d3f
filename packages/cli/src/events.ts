import type { WebhookEvent } from '@billhook/sdk'
import { cancelCheckout, changeBillingDetails } from './buyer.ts'
import { CommandFailure } from './failure.ts'
import { type Sale, type Shop, shopUrls } from './shop.ts'

export type EventName = WebhookEvent['eventName']

interface Tools {
  readonly shop: Shop
  pass(by: string): Promise<void>
  until<Value>(read: () => Promise<Value | null | undefined>): Promise<Value>
}

export type Cause =
  | {
      readonly calls: string
      readonly movesClock?: string
      run(tools: Tools): Promise<string>
    }
  /** Why no API request triggers the event. */
  | { readonly impossible: string }

type Causes<Entity extends string> = Record<Extract<EventName, `${Entity}.${string}`>, Cause>

const ofSubscription =
  (run: (tools: Tools, sale: Sale) => Promise<unknown>) =>
  async (tools: Tools): Promise<string> => {
    const sale = await tools.shop.sell()
    await run(tools, sale)
    return sale.subscription.id
  }

const failedOrder = ({ shop, until }: Tools, subscriptionId: string) =>
  until(async () => {
    const { data } = await shop.billhook.listOrders({ subscriptionId, limit: 1 })
    return data.find((order) => order.paymentFailure !== null)?.id
  })

const orders: Causes<'order'> = {
  'order.paid': {
    calls: 'a checkout, paid by card',
    run: async ({ shop }) => (await shop.sell()).order.id,
  },
  'order.payment_failed': {
    calls: 'a sale, then fast-forward-renewal with paymentStatus failed',
    async run(tools) {
      const { subscription } = await tools.shop.sell()
      const failed = { paymentStatus: 'failed', failureReason: 'insufficient_funds' } as const
      await tools.shop.billhook.fastForwardRenewal(subscription.id, failed)
      return failedOrder(tools, subscription.id)
    },
  },
  'order.canceled': {
    calls: 'a sale, a change of quantity whose charge fails, then DELETE of the recovery',
    async run(tools) {
      const { billhook } = tools.shop
      const { subscription } = await tools.shop.sell()
      await billhook.setPaymentBehavior(subscription.id, { outcome: 'failed' })
      const now = { applyImmediately: true, invoiceImmediately: true }
      await billhook.changeSubscription(subscription.id, { quantity: 5, ...now })
      const orderId = await failedOrder(tools, subscription.id)
      await billhook.cancelRecovery(orderId)
      return orderId
    },
  },
  'order.chargeback_received': {
    impossible: 'only the payment provider creates disputes. Operators run: npm run cli -- chargeback raise',
  },
  'order.chargeback_reversed': {
    impossible: 'only the payment provider decides disputes. Operators run: npm run cli -- chargeback move',
  },
}

const refunds: Causes<'refund'> = {
  'refund.completed': {
    calls: 'a sale, then a full refund',
    movesClock: 'PT2M',
    async run({ shop, pass }) {
      const { order } = await shop.sell()
      const refund = await shop.billhook.createFullRefund(order.id)
      await pass('PT2M')
      return refund.id
    },
  },
  'refund.canceled': {
    calls: 'a sale, a full refund, then DELETE of the refund',
    async run({ shop }) {
      const { order } = await shop.sell()
      const refund = await shop.billhook.createFullRefund(order.id)
      await shop.billhook.cancelRefund(order.id, refund.id)
      return refund.id
    },
  },
  'refund.failed': { impossible: 'only the bank rejects a refund. Operators run: npm run cli -- refund fail' },
}

const subscriptions: Causes<'subscription'> = {
  'subscription.started': {
    calls: 'a checkout, paid by card',
    run: ofSubscription(async () => undefined),
  },
  'subscription.updated': {
    calls: 'a sale, then a change of quantity with applyImmediately',
    run: ofSubscription(({ shop }, { subscription }) =>
      shop.billhook.changeSubscription(subscription.id, { quantity: 3, applyImmediately: true }),
    ),
  },
  'subscription.update_scheduled': {
    calls: 'a sale, then a change of quantity at the next renewal',
    run: ofSubscription(({ shop }, { subscription }) =>
      shop.billhook.changeSubscription(subscription.id, { quantity: 2 }),
    ),
  },
  'subscription.billing_updated': {
    calls: 'a sale, then a change of the billing details on the linked page',
    run: ofSubscription(async ({ shop }, { subscription }) => {
      const { href } = await shop.billhook.createBillingUpdateLink(subscription.id, shopUrls)
      const details = {
        paymentMethod: 'keep',
        fullName: 'Ada King',
        country: 'DE',
        streetAndNumber: 'Torstrasse 1',
        city: 'Berlin',
        postalCode: '10119',
      }
      await changeBillingDetails({ ...shop.server, link: href }, details)
    }),
  },
  'subscription.canceled_with_grace_period': {
    calls: 'a sale, then a cancellation at the end of the period',
    run: ofSubscription(({ shop }, { subscription }) => shop.billhook.cancelSubscription(subscription.id)),
  },
  'subscription.resumed': {
    calls: 'a sale, a cancellation, then a resume',
    run: ofSubscription(async ({ shop }, { subscription }) => {
      await shop.billhook.cancelSubscription(subscription.id)
      await shop.billhook.resumeSubscription(subscription.id)
    }),
  },
  'subscription.canceled_immediately': {
    calls: 'a sale, then a cancellation with immediately=true',
    run: ofSubscription(({ shop }, { subscription }) =>
      shop.billhook.cancelSubscription(subscription.id, { immediately: true }),
    ),
  },
  'subscription.cancellation_grace_period_completed': {
    calls: 'a sale, a cancellation, then the end of the period',
    movesClock: 'P1M',
    run: ofSubscription(async ({ shop, pass }, { subscription }) => {
      await shop.billhook.cancelSubscription(subscription.id)
      await pass('P1M')
    }),
  },
  'subscription.canceled_for_nonpayment': {
    calls: 'a sale whose renewals fail',
    movesClock: 'P3M',
    run: ofSubscription(async ({ shop, pass }, { subscription }) => {
      await shop.billhook.setPaymentBehavior(subscription.id, { outcome: 'failed' })
      await pass('P3M')
    }),
  },
}

const checkouts: Causes<'checkout'> = {
  'checkout.paid': {
    calls: 'a checkout, paid by card',
    run: async ({ shop }) => (await shop.sell()).checkout.id,
  },
  'checkout.failed': {
    calls: 'a checkout whose payment is declined',
    async run({ shop }) {
      const checkout = await shop.newCheckout()
      await shop.pay(checkout, undefined, 'failed')
      return checkout.id
    },
  },
  'checkout.canceled': {
    calls: 'a checkout that the buyer cancels',
    async run({ shop }) {
      const checkout = await shop.newCheckout()
      await cancelCheckout({ ...shop.server, checkoutUrl: checkout.links.checkoutUrl.href })
      return checkout.id
    },
  },
  'checkout.expired': {
    calls: 'a checkout that nobody pays',
    movesClock: 'P8D',
    async run({ shop, pass }) {
      const checkout = await shop.newCheckout()
      await pass('P8D')
      return checkout.id
    },
  },
}

const onlyReviewed = 'test mode approves every update. Operators reject updates in live mode only'

interface CatalogItem {
  readonly what: 'plan' | 'product'
  make(shop: Shop): Promise<{ id: string }>
  rename(billhook: Shop['billhook'], id: string): Promise<unknown>
  archive(billhook: Shop['billhook'], id: string): Promise<unknown>
  unarchive(billhook: Shop['billhook'], id: string): Promise<unknown>
}

const changed = { name: 'Renamed (command line)' }

const plan: CatalogItem = {
  what: 'plan',
  make: (shop) => shop.newPlan(),
  rename: (billhook, id) => billhook.updateSubscriptionPlan(id, changed),
  archive: (billhook, id) => billhook.archiveSubscriptionPlan(id),
  unarchive: (billhook, id) => billhook.unarchiveSubscriptionPlan(id),
}

const product: CatalogItem = {
  what: 'product',
  make: (shop) => shop.newProduct(),
  rename: (billhook, id) => billhook.updateOneOffProduct(id, changed),
  archive: (billhook, id) => billhook.archiveOneOffProduct(id),
  unarchive: (billhook, id) => billhook.unarchiveOneOffProduct(id),
}

/** Returns how to cause each event of a plan or product, by the last word of the event name, such as `archived`. */
function ofCatalog(item: CatalogItem) {
  const after = (calls: string, ...steps: ('rename' | 'archive' | 'unarchive')[]): Cause => ({
    calls: `a new ${item.what}, ${calls}`,
    async run({ shop }) {
      const { id } = await item.make(shop)
      for (const step of steps) await item[step](shop.billhook, id)
      return id
    },
  })
  return {
    submitted: after('then a change of its name', 'rename'),
    approved: after('then a change of its name, which test mode approves', 'rename'),
    archived: after('which is archived', 'archive'),
    unarchived: after('which is archived and unarchived', 'archive', 'unarchive'),
  }
}

const ofPlan = ofCatalog(plan)
const ofProduct = ofCatalog(product)

const catalog: Causes<'subscription_plan' | 'one_off_product'> = {
  'one_off_product.update_submitted': ofProduct.submitted,
  'one_off_product.update_approved': ofProduct.approved,
  'one_off_product.update_rejected': { impossible: onlyReviewed },
  'one_off_product.archived': ofProduct.archived,
  'one_off_product.unarchived': ofProduct.unarchived,
  'subscription_plan.update_submitted': ofPlan.submitted,
  'subscription_plan.update_approved': ofPlan.approved,
  'subscription_plan.update_rejected': { impossible: onlyReviewed },
  'subscription_plan.archived': ofPlan.archived,
  'subscription_plan.unarchived': ofPlan.unarchived,
}

export const causes: Readonly<Record<EventName, Cause>> = {
  ...orders,
  ...refunds,
  ...subscriptions,
  ...checkouts,
  ...catalog,
}

export const eventNames = Object.keys(causes) as EventName[]

export const triggerable: readonly string[] = eventNames.filter((name) => 'run' in causes[name])

export function causeOf(name: EventName): Extract<Cause, { run: unknown }> {
  const cause = causes[name]
  if ('run' in cause) return cause
  throw new CommandFailure(`No API request triggers ${name}.`, {
    code: 'not_triggerable',
    why: `${cause.impossible}.`,
    next: 'billhook trigger --list',
  })
}
