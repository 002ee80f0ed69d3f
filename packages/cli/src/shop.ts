import { randomBytes } from 'node:crypto'
import type { Billhook, Checkout, OneOffProduct, Order, Subscription, SubscriptionPlan } from '@billhook/sdk'
import { type Buyer, type Outcome, payCheckout } from './buyer.ts'
import { CommandFailure } from './failure.ts'
import type { Login } from './login.ts'

const urls = {
  redirectUrlSuccess: 'https://shop.example/thanks',
  redirectUrlCanceled: 'https://shop.example/pricing',
}

export interface Plan {
  readonly name: string
  readonly price: string
  readonly interval: 'month' | 'year'
}

export const teamPlan: Plan = { name: 'Team (command line)', price: '10.00', interval: 'month' }

export interface Sale {
  readonly checkout: Checkout
  readonly order: Order
  readonly subscription: Subscription
}

export class Shop {
  readonly billhook: Billhook
  private readonly baseUrl: string
  private readonly plans = new Map<string, SubscriptionPlan>()

  constructor(login: Login) {
    this.billhook = login.billhook
    this.baseUrl = login.url
  }

  async plan(wanted: Plan = teamPlan): Promise<SubscriptionPlan> {
    const known = this.plans.get(wanted.name) ?? (await this.findPlan(wanted.name)) ?? (await this.newPlan(wanted))
    this.plans.set(wanted.name, known)
    return known
  }

  private async findPlan(name: string): Promise<SubscriptionPlan | undefined> {
    const { data } = await this.billhook.listSubscriptionPlans({ limit: 100 })
    return data.find((plan) => plan.name === name && plan.status === 'active')
  }

  newPlan({ name, price, interval }: Plan = teamPlan): Promise<SubscriptionPlan> {
    return this.billhook.createSubscriptionPlan({
      name,
      description: 'Made by the command line',
      productType: 'saas',
      basePrice: { value: price, currency: 'EUR' },
      interval,
      intervalCount: 1,
    })
  }

  newProduct(): Promise<OneOffProduct> {
    return this.billhook.createOneOffProduct({
      name: 'Handbook (command line)',
      description: 'Made by the command line',
      productType: 'ebook',
      basePrice: { value: '19.00', currency: 'EUR' },
    })
  }

  get server(): { baseUrl: string } {
    return { baseUrl: this.baseUrl }
  }

  async newCheckout(quantity = 1, plan: Plan = teamPlan, trialDays = 0): Promise<Checkout> {
    const { id } = await this.plan(plan)
    return this.billhook.createCheckout({ products: [{ id, quantity, ...(trialDays > 0 && { trialDays }) }], ...urls })
  }

  async pay(checkout: Checkout, buyer: Buyer = someBuyer(), outcome: Outcome = 'paid'): Promise<void> {
    await payCheckout({ ...this.server, checkoutUrl: checkout.links.checkoutUrl.href }, buyer, outcome)
  }

  async sell({
    quantity = 1,
    plan = teamPlan,
    trialDays = 0,
    buyer = someBuyer(),
  }: Partial<Wanted> = {}): Promise<Sale> {
    const open = await this.newCheckout(quantity, plan, trialDays)
    await this.pay(open, buyer)
    const checkout = await this.billhook.getCheckout(open.id)
    const { orderId, customerId } = checkout
    if (!orderId || !customerId)
      throw new CommandFailure('The checkout is not paid.', {
        code: 'checkout_unpaid',
        why: `The checkout ${open.id} has the status ${checkout.status}.`,
        next: `Open the page and complete the payment: ${open.links.checkoutUrl.href}`,
      })
    const [order, { data }] = await Promise.all([
      this.billhook.getOrder(orderId),
      this.billhook.listCustomerSubscriptions(customerId, { limit: 1 }),
    ])
    const [subscription] = data
    if (!subscription) throw new Error(`The customer ${customerId} has no subscription.`)
    return { checkout, order, subscription }
  }
}

interface Wanted {
  readonly quantity: number
  readonly plan: Plan
  readonly trialDays: number
  readonly buyer: Buyer
}

export const someBuyer = (differences: Partial<Buyer> = {}): Buyer => ({
  email: `ada.${randomBytes(4).toString('hex')}@example.com`,
  fullName: 'Ada Lovelace',
  country: 'DE',
  paymentMethod: 'creditcard',
  ...differences,
})

export { urls as shopUrls }
