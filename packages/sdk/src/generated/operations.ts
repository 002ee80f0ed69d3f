// Generated from docs/openapi.json by `npm run generate`. Do not edit.

import type { Body, List, Query, RequestOptions, Result, WriteOptions } from '../types.ts'
import type { components } from './schema.ts'

export type ApiError = components['schemas']['ApiError']
export type BillingAddress = components['schemas']['BillingAddress']
export type Chargeback = components['schemas']['Chargeback']
export type Checkout = components['schemas']['Checkout']
export type CheckoutCanceledEvent = components['schemas']['CheckoutCanceledEvent']
export type CheckoutExpiredEvent = components['schemas']['CheckoutExpiredEvent']
export type CheckoutFailedEvent = components['schemas']['CheckoutFailedEvent']
export type CheckoutPaidEvent = components['schemas']['CheckoutPaidEvent']
export type CheckoutPreview = components['schemas']['CheckoutPreview']
export type Customer = components['schemas']['Customer']
export type CustomerDetails = components['schemas']['CustomerDetails']
export type Link = components['schemas']['Link']
export type Money = components['schemas']['Money']
export type OneOffProduct = components['schemas']['OneOffProduct']
export type OneOffProductArchivedEvent = components['schemas']['OneOffProductArchivedEvent']
export type OneOffProductUnarchivedEvent = components['schemas']['OneOffProductUnarchivedEvent']
export type OneOffProductUpdateApprovedEvent = components['schemas']['OneOffProductUpdateApprovedEvent']
export type OneOffProductUpdateRejectedEvent = components['schemas']['OneOffProductUpdateRejectedEvent']
export type OneOffProductUpdateSubmittedEvent = components['schemas']['OneOffProductUpdateSubmittedEvent']
export type Order = components['schemas']['Order']
export type OrderCanceledEvent = components['schemas']['OrderCanceledEvent']
export type OrderChargebackReceivedEvent = components['schemas']['OrderChargebackReceivedEvent']
export type OrderChargebackReversedEvent = components['schemas']['OrderChargebackReversedEvent']
export type OrderLine = components['schemas']['OrderLine']
export type OrderPaidEvent = components['schemas']['OrderPaidEvent']
export type OrderPaymentFailedEvent = components['schemas']['OrderPaymentFailedEvent']
export type PaymentBehavior = components['schemas']['PaymentBehavior']
export type PaymentFailure = components['schemas']['PaymentFailure']
export type PaymentLink = components['schemas']['PaymentLink']
export type PortalSession = components['schemas']['PortalSession']
export type PreviewLine = components['schemas']['PreviewLine']
export type Recovery = components['schemas']['Recovery']
export type Refund = components['schemas']['Refund']
export type RefundCanceledEvent = components['schemas']['RefundCanceledEvent']
export type RefundCompletedEvent = components['schemas']['RefundCompletedEvent']
export type RefundFailedEvent = components['schemas']['RefundFailedEvent']
export type RefundLine = components['schemas']['RefundLine']
export type Subscription = components['schemas']['Subscription']
export type SubscriptionBillingUpdatedEvent = components['schemas']['SubscriptionBillingUpdatedEvent']
export type SubscriptionCanceledForNonpaymentEvent = components['schemas']['SubscriptionCanceledForNonpaymentEvent']
export type SubscriptionCanceledImmediatelyEvent = components['schemas']['SubscriptionCanceledImmediatelyEvent']
export type SubscriptionCanceledWithGracePeriodEvent = components['schemas']['SubscriptionCanceledWithGracePeriodEvent']
export type SubscriptionCancellationGracePeriodCompletedEvent = components['schemas']['SubscriptionCancellationGracePeriodCompletedEvent']
export type SubscriptionChangePreview = components['schemas']['SubscriptionChangePreview']
export type SubscriptionPlan = components['schemas']['SubscriptionPlan']
export type SubscriptionPlanArchivedEvent = components['schemas']['SubscriptionPlanArchivedEvent']
export type SubscriptionPlanUnarchivedEvent = components['schemas']['SubscriptionPlanUnarchivedEvent']
export type SubscriptionPlanUpdateApprovedEvent = components['schemas']['SubscriptionPlanUpdateApprovedEvent']
export type SubscriptionPlanUpdateRejectedEvent = components['schemas']['SubscriptionPlanUpdateRejectedEvent']
export type SubscriptionPlanUpdateSubmittedEvent = components['schemas']['SubscriptionPlanUpdateSubmittedEvent']
export type SubscriptionResumedEvent = components['schemas']['SubscriptionResumedEvent']
export type SubscriptionStartedEvent = components['schemas']['SubscriptionStartedEvent']
export type SubscriptionUpdatedEvent = components['schemas']['SubscriptionUpdatedEvent']
export type SubscriptionUpdateScheduledEvent = components['schemas']['SubscriptionUpdateScheduledEvent']
export type TaxLine = components['schemas']['TaxLine']
export type TaxRate = components['schemas']['TaxRate']
export type TestClock = components['schemas']['TestClock']
export type TestClockAdvance = components['schemas']['TestClockAdvance']
export type UnitPrice = components['schemas']['UnitPrice']
export type WebhookEndpoint = components['schemas']['WebhookEndpoint']
export type WebhookEvent = components['schemas']['WebhookEvent']
export type WebhookPing = components['schemas']['WebhookPing']
export type WebhookSetupEvent = components['schemas']['WebhookSetupEvent']

/** One method for each operation of the API, with the name that the API reference uses. */
export interface Operations {
  /**
   * List chargebacks.
   *
   * Returns the chargebacks of the storefront and mode, newest first. The provider creates chargebacks: `order.chargeback_received` reports a new one, `order.chargeback_reversed` one that is won or rejected.
   */
  listChargebacks(query?: Query<'listChargebacks'>, options?: RequestOptions): List<Chargeback>

  /**
   * Get a chargeback.
   *
   * Returns a chargeback.
   */
  getChargeback(id: string, options?: RequestOptions): Promise<Chargeback>

  /**
   * List checkouts.
   *
   * Returns the checkouts of the storefront and mode, newest first.
   */
  listCheckouts(query?: Query<'listCheckouts'>, options?: RequestOptions): List<Checkout>

  /**
   * Create a checkout.
   *
   * Creates a checkout with a snapshot of its products. The buyer pays at `links.checkoutUrl`. A payment sends `checkout.paid`, `subscription.started` for each plan, and `order.paid`, in this order. A declined payment sends `checkout.failed`; the end without a payment sends `checkout.canceled` or `checkout.expired`. Refuses products that are archived or not active, and products with different `taxBehavior`. Needs an API key with the scope `no_refunds` or `full`.
   */
  createCheckout(body: Body<'createCheckout'>, options?: WriteOptions): Promise<Checkout>

  /**
   * Get a checkout.
   *
   * Returns a checkout.
   */
  getCheckout(id: string, options?: RequestOptions): Promise<Checkout>

  /**
   * Preview the price of a checkout.
   *
   * An addition to the contract. Returns what a buyer would pay, with tax, for a pricing page. Creates nothing. A tax ID is checked by its form only: the preview asks no registry, and takes an ID as confirmed unless the registry has rejected it within a day. Refuses the products that a checkout refuses, a tax ID that is not of the country, and a currency that buyers in the country are not offered. No idempotency key is needed.
   */
  previewCheckout(body: Body<'previewCheckout'>, options?: RequestOptions): Promise<CheckoutPreview>

  /**
   * List customers.
   *
   * Returns the customers of the storefront and mode, newest first. With `email`, returns those who hold that address in canonical form.
   */
  listCustomers(query?: Query<'listCustomers'>, options?: RequestOptions): List<Customer>

  /**
   * Get or create a customer.
   *
   * Answers 201 with a new customer, or 200 with the customer who holds the email address. An existing customer is not changed: `name` and `metadata` are ignored then. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
   */
  createCustomer(body: Body<'createCustomer'>, options?: WriteOptions): Promise<Customer>

  /**
   * Get a customer.
   *
   * Returns a customer.
   */
  getCustomer(id: string, options?: RequestOptions): Promise<Customer>

  /**
   * Update a customer.
   *
   * Changes the name, the email address, or the metadata. Other fields are ignored: billing details change in hosted flows only. Sends no event. Refuses an address that another customer holds. Needs an API key with the scope `no_refunds` or `full`.
   */
  updateCustomer(id: string, body?: Body<'updateCustomer'>, options?: WriteOptions): Promise<Customer>

  /**
   * Create a session of the customer portal.
   *
   * Returns a link to the portal, which works once and for 15 minutes. Redirect the customer to it, and neither log nor store it. Refuses with `portal_not_eligible` a customer without an issued invoice, and one whose data was erased. Needs an API key with the scope `no_refunds` or `full`.
   */
  createPortalSession(id: string, body?: Body<'createPortalSession'>, options?: WriteOptions): Promise<PortalSession>

  /**
   * List the subscriptions of a customer.
   *
   * Returns the subscriptions of one customer, newest first.
   */
  listCustomerSubscriptions(id: string, query?: Query<'listCustomerSubscriptions'>, options?: RequestOptions): List<Subscription>

  /**
   * Get a subscription of a customer.
   *
   * Returns a subscription of one customer.
   */
  getCustomerSubscription(id: string, subscriptionId: string, options?: RequestOptions): Promise<Subscription>

  /**
   * List one-off products.
   *
   * Returns the products of the storefront and mode, newest first. Archived products are listed with `includeArchived=true` only.
   */
  listOneOffProducts(query?: Query<'listOneOffProducts'>, options?: RequestOptions): List<OneOffProduct>

  /**
   * Create a one-off product.
   *
   * Creates a product. In test mode it is `active` at once. In live mode it is `pending` until an operator approves it. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
   */
  createOneOffProduct(body: Body<'createOneOffProduct'>, options?: WriteOptions): Promise<OneOffProduct>

  /**
   * Get a one-off product.
   *
   * Returns a product, archived or not.
   */
  getOneOffProduct(id: string, options?: RequestOptions): Promise<OneOffProduct>

  /**
   * Submit an update of a one-off product.
   *
   * Submits the full set of changes against the live product. It replaces a pending update that is not being reviewed. Fields with their live values are ignored; if nothing differs, the pending update is withdrawn. An operator reviews the update in live mode; in test mode it is approved within seconds. Sends `one_off_product.update_submitted`, and `one_off_product.update_approved` or `one_off_product.update_rejected` after the review. Refuses an update during the review. Needs an API key with the scope `no_refunds` or `full`.
   */
  updateOneOffProduct(id: string, body: Body<'updateOneOffProduct'>, options?: WriteOptions): Promise<OneOffProduct>

  /**
   * Archive a one-off product.
   *
   * Takes a product off sale. Lists hide it and checkouts refuse it. A pending update stays. Sends `one_off_product.archived`. A repetition changes nothing. Needs an API key with the scope `no_refunds` or `full`.
   */
  archiveOneOffProduct(id: string, options?: WriteOptions): Promise<void>

  /**
   * Put a one-off product back on sale.
   *
   * Ends the archive of a product and sends `one_off_product.unarchived`. It changes nothing if the product is not archived. Needs an API key with the scope `no_refunds` or `full`.
   */
  unarchiveOneOffProduct(id: string, options?: WriteOptions): Promise<OneOffProduct>

  /**
   * List orders.
   *
   * Returns the orders of the storefront and mode, newest first: sales, renewals, changes of subscriptions, verifications of payment methods, and credit notes.
   */
  listOrders(query?: Query<'listOrders'>, options?: RequestOptions): List<Order>

  /**
   * Get an order.
   *
   * Returns an order with its lines and taxes.
   */
  getOrder(id: string, options?: RequestOptions): Promise<Order>

  /**
   * List the chargebacks of an order.
   *
   * Returns the chargebacks of an order, newest first.
   */
  listOrderChargebacks(id: string, query?: Query<'listOrderChargebacks'>, options?: RequestOptions): List<Chargeback>

  /**
   * Get a chargeback of an order.
   *
   * Returns a chargeback of an order.
   */
  getOrderChargeback(id: string, chargebackId: string, options?: RequestOptions): Promise<Chargeback>

  /**
   * Create a link to update an invoice.
   *
   * Returns a signed link to a hosted page on which the customer corrects the name, company, address or tax ID on the invoice. A valid tax ID on an invoice with tax brings the tax back: a credit note, a new invoice without tax, and a refund of the tax alone. The link is valid for 24 hours. An update of an invoice sends no event, unless the customer takes the details over to subscriptions (`subscription.billing_updated`). Refuses an order without an invoice. Needs an API key with the scope `no_refunds` or `full`.
   */
  createInvoiceUpdateLink(id: string, options?: WriteOptions): Promise<Link>

  /**
   * Cancel the unpaid order of a change.
   *
   * An addition to the contract. Cancels the order of a change whose payment failed. The subscription returns to its plan, price, quantity and cycle before the change at once, with `order.canceled` and `subscription.updated` (reason `change_reverted`). Refuses an order without an open recovery, the order of a renewal or a sale (cancel the subscription instead), and an order with a charge on its way. Needs an API key with the scope `no_refunds` or `full`.
   */
  cancelRecovery(id: string, options?: WriteOptions): Promise<void>

  /**
   * Refund a part of an order.
   *
   * Creates a refund of lines of an order. It is `pending` for 60 seconds in test mode and 2 hours in live mode, and can be canceled in this time. Then it is sent to the bank as soon as the balance covers it. Sends `refund.completed` or `refund.failed` at its end. Refuses more than is left of a line or of the order, and an order that is unpaid, of 0.00, or a credit note. Needs an API key with the scope `full`.
   */
  createRefund(id: string, body: Body<'createRefund'>, options?: WriteOptions): Promise<Refund>

  /**
   * List the refunds of an order.
   *
   * Returns the refunds of an order, newest first.
   */
  listOrderRefunds(id: string, query?: Query<'listOrderRefunds'>, options?: RequestOptions): List<Refund>

  /**
   * Get a refund of an order.
   *
   * Returns a refund of an order.
   */
  getOrderRefund(id: string, refundId: string, options?: RequestOptions): Promise<Refund>

  /**
   * Cancel a refund.
   *
   * Cancels a refund that is still `pending` and sends `refund.canceled`. Its amount can be refunded again. Refuses a refund of any other status. Needs an API key with the scope `full`.
   */
  cancelRefund(id: string, refundId: string, options?: WriteOptions): Promise<void>

  /**
   * Refund what is left of an order.
   *
   * Creates a refund of everything that is left of an order. It is `pending` for 60 seconds in test mode and 2 hours in live mode, and can be canceled in this time. Then it is sent to the bank as soon as the balance covers it. Sends `refund.completed` or `refund.failed` at its end. Refuses an order that is unpaid, of 0.00, a credit note, or of which nothing is left. Needs an API key with the scope `full`.
   */
  createFullRefund(id: string, body?: Body<'createFullRefund'>, options?: WriteOptions): Promise<Refund>

  /**
   * List payment links.
   *
   * Returns the payment links of the storefront and mode, newest first.
   */
  listPaymentLinks(query?: Query<'listPaymentLinks'>, options?: RequestOptions): List<PaymentLink>

  /**
   * Create a payment link.
   *
   * Creates a permanent address at which anybody buys these products. A visit creates nothing. A checkout is created when a buyer sends the form. Refuses products that are archived or rejected, and products with different `taxBehavior`. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
   */
  createPaymentLink(body: Body<'createPaymentLink'>, options?: WriteOptions): Promise<PaymentLink>

  /**
   * Get a payment link.
   *
   * Returns a payment link.
   */
  getPaymentLink(id: string, options?: RequestOptions): Promise<PaymentLink>

  /**
   * Update a payment link.
   *
   * Ends a payment link with `active: false`, or changes its name, URL, or metadata. Fields that are left out stay. Checkouts that exist already do not change and can still be paid. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
   */
  updatePaymentLink(id: string, body?: Body<'updatePaymentLink'>, options?: WriteOptions): Promise<PaymentLink>

  /**
   * List refunds.
   *
   * Returns the refunds of the storefront and mode, newest first.
   */
  listRefunds(query?: Query<'listRefunds'>, options?: RequestOptions): List<Refund>

  /**
   * Get a refund.
   *
   * Returns a refund.
   */
  getRefund(id: string, options?: RequestOptions): Promise<Refund>

  /**
   * List subscription plans.
   *
   * Returns the plans of the storefront and mode, newest first. Archived plans are listed with `includeArchived=true` only.
   */
  listSubscriptionPlans(query?: Query<'listSubscriptionPlans'>, options?: RequestOptions): List<SubscriptionPlan>

  /**
   * Create a subscription plan.
   *
   * Creates a plan. In test mode it is `active` at once. In live mode it is `pending` until an operator approves it. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
   */
  createSubscriptionPlan(body: Body<'createSubscriptionPlan'>, options?: WriteOptions): Promise<SubscriptionPlan>

  /**
   * Get a subscription plan.
   *
   * Returns a plan, archived or not.
   */
  getSubscriptionPlan(id: string, options?: RequestOptions): Promise<SubscriptionPlan>

  /**
   * Submit an update of a subscription plan.
   *
   * Submits the full set of changes against the live plan. It replaces a pending update that is not being reviewed. Fields with their live values are ignored; if nothing differs, the pending update is withdrawn. An operator reviews the update in live mode; in test mode it is approved within seconds. Sends `subscription_plan.update_submitted`, and `subscription_plan.update_approved` or `subscription_plan.update_rejected` after the review. Refuses an update during the review, and a change of `interval` on a plan that a subscription ever used. Needs an API key with the scope `no_refunds` or `full`.
   */
  updateSubscriptionPlan(id: string, body: Body<'updateSubscriptionPlan'>, options?: WriteOptions): Promise<SubscriptionPlan>

  /**
   * Archive a subscription plan.
   *
   * Takes a plan off sale. Lists hide it, checkouts refuse it and no subscription can switch to it. Existing subscriptions stay as they are. Sends `subscription_plan.archived`. A repetition changes nothing. Needs an API key with the scope `no_refunds` or `full`.
   */
  archiveSubscriptionPlan(id: string, options?: WriteOptions): Promise<void>

  /**
   * Put a subscription plan back on sale.
   *
   * Ends the archive of a plan and sends `subscription_plan.unarchived`. It changes nothing if the plan is not archived. Needs an API key with the scope `no_refunds` or `full`.
   */
  unarchiveSubscriptionPlan(id: string, options?: WriteOptions): Promise<SubscriptionPlan>

  /**
   * List subscriptions.
   *
   * Returns the subscriptions of the storefront and mode, newest first.
   */
  listSubscriptions(query?: Query<'listSubscriptions'>, options?: RequestOptions): List<Subscription>

  /**
   * Get a subscription.
   *
   * Returns a subscription.
   */
  getSubscription(id: string, options?: RequestOptions): Promise<Subscription>

  /**
   * Change a subscription.
   *
   * Changes plan, quantity or price, now or at the next renewal, and `metadata` at once. At least one of `subscriptionPlanId`, `quantity`, `price` and `metadata` is required. A change that is made now sends `subscription.updated`; a scheduled one sends `subscription.update_scheduled`, and `subscription.updated` at the renewal. A charge that follows sends `order.paid` or `order.payment_failed`. Values equal to the present ones change nothing. Refuses a scheduled change in a grace period, a credit that is more than the new charge, an archived plan, and more than 20 immediate charges of a subscription in an hour. Needs an API key with the scope `no_refunds` or `full`.
   */
  changeSubscription(id: string, body: Body<'changeSubscription'>, options?: WriteOptions): Promise<Subscription>

  /**
   * Cancel a subscription.
   *
   * Cancels at the end of the paid period (`subscription.canceled_with_grace_period`, then `subscription.cancellation_grace_period_completed`), or now with `immediately=true` (`subscription.canceled_immediately`), which it does too where no paid time is left. The scheduled update and parked amounts are dropped. A plain repetition changes nothing. Refuses a subscription that has not started or has ended. Needs an API key with the scope `no_refunds` or `full`.
   */
  cancelSubscription(id: string, query?: Query<'cancelSubscription'>, options?: WriteOptions): Promise<void>

  /**
   * Create a link to update billing details.
   *
   * Returns a signed link to a hosted page on which the customer changes the billing details and the payment method of a subscription. The link is valid for 24 hours. A change sends `subscription.billing_updated`. A new payment method is charged for what is outstanding. Refuses a subscription that has not started or has ended. Needs an API key with the scope `no_refunds` or `full`.
   */
  createBillingUpdateLink(id: string, body: Body<'createBillingUpdateLink'>, options?: WriteOptions): Promise<Link>

  /**
   * Preview a change of a subscription.
   *
   * An addition to the contract. Takes the body of PATCH, changes nothing, and returns what the change would charge, by the same rules. A rule that refuses the change is stated in `refusal`, with status 200. PATCH with the `asOf` of the preview charges exactly these amounts. No idempotency key is needed.
   */
  previewSubscriptionChange(id: string, body: Body<'previewSubscriptionChange'>, options?: RequestOptions): Promise<SubscriptionChangePreview>

  /**
   * Resume a canceled subscription.
   *
   * Withdraws a cancellation while the grace period runs. The subscription is active, in its trial or paused, as before; nothing is charged. Sends `subscription.resumed`. Refuses a subscription that is not in its grace period. Needs an API key with the scope `no_refunds` or `full`.
   */
  resumeSubscription(id: string, options?: WriteOptions): Promise<Subscription>

  /**
   * Get the test clock.
   *
   * Returns the moment on the clock of the storefront's test mode.
   */
  getTestClock(options?: RequestOptions): Promise<TestClock>

  /**
   * Advance the test clock.
   *
   * Moves the clock of the storefront's test mode forward and runs what falls due, in its order. The answer comes when everything has run, or after 30 seconds with the number of tasks that still run in the background. Refuses a second advance while one is running. Needs an API key with the scope `no_refunds` or `full`.
   */
  advanceTestClock(body: Body<'advanceTestClock'>, options?: WriteOptions): Promise<TestClockAdvance>

  /**
   * Simulate the outcome of a payment.
   *
   * Settles or declines the pending payment of an order that is charged to a saved payment method. The outcome is applied a few seconds later, with `order.paid` or `order.payment_failed`; the answer is the order before it. Refuses an order without such a payment, and a second request while one is queued. Needs an API key with the scope `no_refunds` or `full`.
   */
  simulatePayment(id: string, body: Body<'simulatePayment'>, options?: WriteOptions): Promise<Order>

  /**
   * Renew a subscription early.
   *
   * Requests the next renewal of a subscription before its time. It runs a few seconds later; the answer is the subscription before it. Sends `subscription.updated`, and `order.paid` or `order.payment_failed` for the outcome. Refuses a subscription that is not active or has no next renewal, a second request while one is not resolved, and `paid` if no payment method can be charged. Needs an API key with the scope `no_refunds` or `full`.
   */
  fastForwardRenewal(id: string, body?: Body<'fastForwardRenewal'>, options?: WriteOptions): Promise<Subscription>

  /**
   * Make the coming charges of a subscription fail.
   *
   * An addition to the contract. The test provider declines the coming charges on the payment method of the subscription (`failed`), by the schedule of real charges, or charges the method again (`paid`). It lasts until it is changed, or for `times` charges. A pending charge keeps its outcome. Refuses a subscription without a payment method. Needs an API key with the scope `no_refunds` or `full`.
   */
  setPaymentBehavior(id: string, body: Body<'setPaymentBehavior'>, options?: WriteOptions): Promise<PaymentBehavior>

  /**
   * List webhook endpoints.
   *
   * Returns the webhook endpoints of the storefront and mode, newest first. There are up to five.
   */
  listWebhookEndpoints(query?: Query<'listWebhookEndpoints'>, options?: RequestOptions): List<WebhookEndpoint>

  /**
   * Register a webhook endpoint.
   *
   * Registers an endpoint after a check: the URL must answer a signed `webhook.setup` ping with 2xx within 10 seconds. Refuses a URL that is not public, has no valid certificate, or is registered already, and a sixth endpoint of the storefront and mode. Needs an API key with the scope `no_refunds` or `full`.
   */
  createWebhookEndpoint(body: Body<'createWebhookEndpoint'>, options?: WriteOptions): Promise<WebhookEndpoint>

  /**
   * Get a webhook endpoint.
   *
   * Returns a webhook endpoint, without its secret.
   */
  getWebhookEndpoint(id: string, options?: RequestOptions): Promise<WebhookEndpoint>

  /**
   * Update a webhook endpoint.
   *
   * Changes the URL, the secret or the events. A new URL is checked as at registration. Fields that are left out stay. An empty body changes nothing. Needs an API key with the scope `no_refunds` or `full`.
   */
  updateWebhookEndpoint(id: string, body?: Body<'updateWebhookEndpoint'>, options?: WriteOptions): Promise<WebhookEndpoint>

  /**
   * Delete a webhook endpoint.
   *
   * Deletes an endpoint. Deliveries to it stop at once. Needs an API key with the scope `no_refunds` or `full`.
   */
  deleteWebhookEndpoint(id: string, options?: WriteOptions): Promise<void>

  /**
   * Ping a webhook endpoint.
   *
   * Sends `webhook.setup` to the URL of the endpoint again, signed as a delivery, and returns how the receiver responded within 10 seconds. The response is 200 also if the receiver is down. The ping is not stored and not repeated. Needs an API key with the scope `no_refunds` or `full`.
   */
  pingWebhookEndpoint(id: string, options?: WriteOptions): Promise<WebhookPing>

  /**
   * List webhook events.
   *
   * Returns the events of the storefront and mode, newest first, each exactly as it is delivered. An event is kept as long as the operator has configured.
   */
  listWebhookEvents(query?: Query<'listWebhookEvents'>, options?: RequestOptions): List<WebhookEvent>

  /**
   * Get a webhook event.
   *
   * Returns an event exactly as it is delivered.
   */
  getWebhookEvent(id: string, options?: RequestOptions): Promise<WebhookEvent>

}

/** The method and the path of each operation, and what it takes: a query or a body, and an idempotency key. */
export const operations = {
  listChargebacks: 'GET /v1/chargebacks query list',
  getChargeback: 'GET /v1/chargebacks/{id}',
  listCheckouts: 'GET /v1/checkouts query list',
  createCheckout: 'POST /v1/checkouts body key',
  getCheckout: 'GET /v1/checkouts/{id}',
  previewCheckout: 'POST /v1/checkouts/preview body',
  listCustomers: 'GET /v1/customers query list',
  createCustomer: 'POST /v1/customers body key',
  getCustomer: 'GET /v1/customers/{id}',
  updateCustomer: 'PATCH /v1/customers/{id} body key',
  createPortalSession: 'POST /v1/customers/{id}/portal-sessions body key',
  listCustomerSubscriptions: 'GET /v1/customers/{id}/subscriptions query list',
  getCustomerSubscription: 'GET /v1/customers/{id}/subscriptions/{subscriptionId}',
  listOneOffProducts: 'GET /v1/one-off-products query list',
  createOneOffProduct: 'POST /v1/one-off-products body key',
  getOneOffProduct: 'GET /v1/one-off-products/{id}',
  updateOneOffProduct: 'PATCH /v1/one-off-products/{id} body key',
  archiveOneOffProduct: 'POST /v1/one-off-products/{id}/archive key',
  unarchiveOneOffProduct: 'DELETE /v1/one-off-products/{id}/archive key',
  listOrders: 'GET /v1/orders query list',
  getOrder: 'GET /v1/orders/{id}',
  listOrderChargebacks: 'GET /v1/orders/{id}/chargebacks query list',
  getOrderChargeback: 'GET /v1/orders/{id}/chargebacks/{chargebackId}',
  createInvoiceUpdateLink: 'POST /v1/orders/{id}/invoice-update-link key',
  cancelRecovery: 'DELETE /v1/orders/{id}/recovery key',
  createRefund: 'POST /v1/orders/{id}/refunds body key',
  listOrderRefunds: 'GET /v1/orders/{id}/refunds query list',
  getOrderRefund: 'GET /v1/orders/{id}/refunds/{refundId}',
  cancelRefund: 'DELETE /v1/orders/{id}/refunds/{refundId} key',
  createFullRefund: 'POST /v1/orders/{id}/refunds/full body key',
  listPaymentLinks: 'GET /v1/payment-links query list',
  createPaymentLink: 'POST /v1/payment-links body key',
  getPaymentLink: 'GET /v1/payment-links/{id}',
  updatePaymentLink: 'PATCH /v1/payment-links/{id} body key',
  listRefunds: 'GET /v1/refunds query list',
  getRefund: 'GET /v1/refunds/{id}',
  listSubscriptionPlans: 'GET /v1/subscription-plans query list',
  createSubscriptionPlan: 'POST /v1/subscription-plans body key',
  getSubscriptionPlan: 'GET /v1/subscription-plans/{id}',
  updateSubscriptionPlan: 'PATCH /v1/subscription-plans/{id} body key',
  archiveSubscriptionPlan: 'POST /v1/subscription-plans/{id}/archive key',
  unarchiveSubscriptionPlan: 'DELETE /v1/subscription-plans/{id}/archive key',
  listSubscriptions: 'GET /v1/subscriptions query list',
  getSubscription: 'GET /v1/subscriptions/{id}',
  changeSubscription: 'PATCH /v1/subscriptions/{id} body key',
  cancelSubscription: 'DELETE /v1/subscriptions/{id} query key',
  createBillingUpdateLink: 'POST /v1/subscriptions/{id}/billing-update-link body key',
  previewSubscriptionChange: 'POST /v1/subscriptions/{id}/preview body',
  resumeSubscription: 'POST /v1/subscriptions/{id}/resume key',
  getTestClock: 'GET /v1/test-helpers/clock',
  advanceTestClock: 'POST /v1/test-helpers/clock/advance body key',
  simulatePayment: 'POST /v1/test-helpers/orders/{id}/simulate-payment body key',
  fastForwardRenewal: 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal body key',
  setPaymentBehavior: 'POST /v1/test-helpers/subscriptions/{id}/payment-behavior body key',
  listWebhookEndpoints: 'GET /v1/webhook-endpoints query list',
  createWebhookEndpoint: 'POST /v1/webhook-endpoints body key',
  getWebhookEndpoint: 'GET /v1/webhook-endpoints/{id}',
  updateWebhookEndpoint: 'PATCH /v1/webhook-endpoints/{id} body key',
  deleteWebhookEndpoint: 'DELETE /v1/webhook-endpoints/{id} key',
  pingWebhookEndpoint: 'POST /v1/webhook-endpoints/{id}/ping key',
  listWebhookEvents: 'GET /v1/webhook-events query list',
  getWebhookEvent: 'GET /v1/webhook-events/{id}',
} as const satisfies Record<keyof Operations, string>
