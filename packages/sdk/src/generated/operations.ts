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
   * Returns the chargebacks of the storefront and mode, newest first. The provider creates chargebacks: `order.chargeback_received` reports a new chargeback, and `order.chargeback_reversed` reports a chargeback that is won or rejected.
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
   * Creates a checkout with a snapshot of its products. The buyer pays at `links.checkoutUrl`. A payment sends `checkout.paid`, `subscription.started` for each plan, and `order.paid`, in this order. A declined payment sends `checkout.failed`; a checkout that ends without a payment sends `checkout.canceled` or `checkout.expired`. Refuses products that are archived or not active, and products with different `taxBehavior`. Needs an API key with the scope `no_refunds` or `full`.
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
   * An addition to the contract. Returns what a buyer would pay, with tax, for a pricing page. Creates nothing. The preview checks only the form of a tax ID and does not ask the registry. It treats the tax ID as valid, unless the registry rejected the tax ID within the last day. Refuses products that a checkout refuses, a tax ID of a different country, and a currency that is not offered in the country. No idempotency key is needed.
   */
  previewCheckout(body: Body<'previewCheckout'>, options?: RequestOptions): Promise<CheckoutPreview>

  /**
   * List customers.
   *
   * Returns the customers of the storefront and mode, newest first. With `email`, returns only the customers with that email address in canonical form.
   */
  listCustomers(query?: Query<'listCustomers'>, options?: RequestOptions): List<Customer>

  /**
   * Get or create a customer.
   *
   * Returns 201 with a new customer, or 200 with the existing customer of the email address. An existing customer does not change: `name` and `metadata` are ignored. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
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
   * Changes the name, the email address, or the metadata. Other fields are ignored: only the customer changes billing details, on hosted pages. Sends no event. Refuses the email address of another customer. Needs an API key with the scope `no_refunds` or `full`.
   */
  updateCustomer(id: string, body?: Body<'updateCustomer'>, options?: WriteOptions): Promise<Customer>

  /**
   * Create a session of the customer portal.
   *
   * Returns a link to the portal. The link works once, within 15 minutes. Redirect the customer to the link, and do not log or store the link. Refuses a customer without an issued invoice, and a customer whose data was erased (`portal_not_eligible`). Needs an API key with the scope `no_refunds` or `full`.
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
   * Submits an update. The update replaces a pending update that is not yet under review, so send all changes to the live product together. Fields that equal the live values are ignored. If no field differs, the pending update is withdrawn. In live mode an operator reviews the update. In test mode the update is approved within seconds. Sends `one_off_product.update_submitted`, and `one_off_product.update_approved` or `one_off_product.update_rejected` after the review. Refuses an update during the review. Needs an API key with the scope `no_refunds` or `full`.
   */
  updateOneOffProduct(id: string, body: Body<'updateOneOffProduct'>, options?: WriteOptions): Promise<OneOffProduct>

  /**
   * Archive a one-off product.
   *
   * Takes a product off sale. Lists hide it and checkouts refuse it. A pending update stays. Sends `one_off_product.archived`. A repeated request changes nothing. Needs an API key with the scope `no_refunds` or `full`.
   */
  archiveOneOffProduct(id: string, options?: WriteOptions): Promise<void>

  /**
   * Unarchive a one-off product.
   *
   * Puts an archived product back on sale, and sends `one_off_product.unarchived`. Changes nothing if the product is not archived. Needs an API key with the scope `no_refunds` or `full`.
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
   * Returns a signed link to a hosted page on which the customer corrects the name, company, address or tax ID on the invoice. If the customer adds a valid tax ID to an invoice with tax, the service refunds the tax: it issues a credit note and a new invoice without tax. The link is valid for 24 hours. An update of an invoice sends no event, unless the customer also applies the details to subscriptions (`subscription.billing_updated`). Refuses an order without an invoice. Needs an API key with the scope `no_refunds` or `full`.
   */
  createInvoiceUpdateLink(id: string, options?: WriteOptions): Promise<Link>

  /**
   * Cancel the unpaid order of a change.
   *
   * An addition to the contract. Cancels the order of a change whose payment failed. The subscription returns at once to the plan, price, quantity and billing cycle before the change. Sends `order.canceled` and `subscription.updated` (reason `change_reverted`). Refuses: an order without an open recovery, an order with a charge in progress, and the order of a renewal or a sale. To end the recovery of a renewal or a sale, cancel the subscription instead. Needs an API key with the scope `no_refunds` or `full`.
   */
  cancelRecovery(id: string, options?: WriteOptions): Promise<void>

  /**
   * Refund part of an order.
   *
   * Refunds lines of an order. The refund is `pending` for 60 seconds in test mode and 2 hours in live mode, and can be canceled during this time. Then it is sent to the bank as soon as the balance covers the amount. Sends `refund.completed` or `refund.failed` when the refund ends. Refuses more than the refundable amount of a line or of the order, an unpaid order, an order of 0.00, and a credit note. Needs an API key with the scope `full`.
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
   * Cancels a refund that is still `pending` and sends `refund.canceled`. Its amount can be refunded again. Refuses a refund with any other status. Needs an API key with the scope `full`.
   */
  cancelRefund(id: string, refundId: string, options?: WriteOptions): Promise<void>

  /**
   * Refund the remaining amount of an order.
   *
   * Refunds the remaining amount of an order. The refund is `pending` for 60 seconds in test mode and 2 hours in live mode, and can be canceled during this time. Then it is sent to the bank as soon as the balance covers the amount. Sends `refund.completed` or `refund.failed` when the refund ends. Refuses an unpaid order, an order of 0.00, a credit note, and an order that is already refunded in full. Needs an API key with the scope `full`.
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
   * Creates a page with a permanent address, on which anybody can buy these products. A visit of the page creates nothing. The checkout is created when a buyer submits the form. Refuses products that are archived or rejected, and products with different `taxBehavior`. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
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
   * Ends a payment link with `active: false`, or changes its name, URL, or metadata. Omitted fields keep their values. Existing checkouts do not change and can still be paid. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
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
   * Submits an update. The update replaces a pending update that is not yet under review, so send all changes to the live plan together. Fields that equal the live values are ignored. If no field differs, the pending update is withdrawn. In live mode an operator reviews the update. In test mode the update is approved within seconds. Sends `subscription_plan.update_submitted`, and `subscription_plan.update_approved` or `subscription_plan.update_rejected` after the review. Refuses an update during the review, and a change of `interval` on a plan that a subscription ever used. Needs an API key with the scope `no_refunds` or `full`.
   */
  updateSubscriptionPlan(id: string, body: Body<'updateSubscriptionPlan'>, options?: WriteOptions): Promise<SubscriptionPlan>

  /**
   * Archive a subscription plan.
   *
   * Takes a plan off sale. Lists hide it, checkouts refuse it and no subscription can switch to it. Existing subscriptions stay as they are. Sends `subscription_plan.archived`. A repeated request changes nothing. Needs an API key with the scope `no_refunds` or `full`.
   */
  archiveSubscriptionPlan(id: string, options?: WriteOptions): Promise<void>

  /**
   * Unarchive a subscription plan.
   *
   * Puts an archived plan back on sale, and sends `subscription_plan.unarchived`. Changes nothing if the plan is not archived. Needs an API key with the scope `no_refunds` or `full`.
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
   * Changes the plan, quantity or price, now or at the next renewal. `metadata` changes at once. At least one of `subscriptionPlanId`, `quantity`, `price` and `metadata` is required. An immediate change sends `subscription.updated`. A scheduled change sends `subscription.update_scheduled`, and `subscription.updated` at the renewal. The charge of a change sends `order.paid` or `order.payment_failed`. Values that equal the current values change nothing. Refuses: a scheduled change in a grace period, a change whose credit exceeds its charge, an archived plan, and more than 20 immediate charges of a subscription in an hour. Needs an API key with the scope `no_refunds` or `full`.
   */
  changeSubscription(id: string, body: Body<'changeSubscription'>, options?: WriteOptions): Promise<Subscription>

  /**
   * Cancel a subscription.
   *
   * By default, the subscription ends at the end of the paid period. Sends `subscription.canceled_with_grace_period`, and at the end `subscription.cancellation_grace_period_completed`. With `immediately=true`, or without remaining paid time, the subscription ends now and sends `subscription.canceled_immediately`. Discards the scheduled update and prorated amounts that wait for the next renewal. A repeated request without `immediately` changes nothing. Refuses a subscription that has not started or has ended. Needs an API key with the scope `no_refunds` or `full`.
   */
  cancelSubscription(id: string, query?: Query<'cancelSubscription'>, options?: WriteOptions): Promise<void>

  /**
   * Create a link to update billing details.
   *
   * Returns a signed link to a hosted page on which the customer changes the billing details and the payment method of a subscription. The link is valid for 24 hours. A change sends `subscription.billing_updated`. A new payment method is charged for outstanding amounts. Refuses a subscription that has not started or has ended. Needs an API key with the scope `no_refunds` or `full`.
   */
  createBillingUpdateLink(id: string, body: Body<'createBillingUpdateLink'>, options?: WriteOptions): Promise<Link>

  /**
   * Preview a change of a subscription.
   *
   * An addition to the contract. Takes the body of PATCH, changes nothing, and returns the amounts that the change would charge. If a rule refuses the change, the response has the status 200 and contains the rule in `refusal`. PATCH with the `asOf` of the preview charges exactly these amounts, or is refused. No idempotency key is needed.
   */
  previewSubscriptionChange(id: string, body: Body<'previewSubscriptionChange'>, options?: RequestOptions): Promise<SubscriptionChangePreview>

  /**
   * Resume a canceled subscription.
   *
   * Withdraws a cancellation during the grace period. The subscription is active, in trial, or paused again, as before the cancellation. Nothing is charged. Sends `subscription.resumed`. Refuses a subscription that is not in its grace period. Needs an API key with the scope `no_refunds` or `full`.
   */
  resumeSubscription(id: string, options?: WriteOptions): Promise<Subscription>

  /**
   * Get the test clock.
   *
   * Returns the time on the storefront's test clock.
   */
  getTestClock(options?: RequestOptions): Promise<TestClock>

  /**
   * Advance the test clock.
   *
   * Moves the storefront's test clock forward, and runs the tasks that become due, in the order of their due times. The response arrives when all tasks have run, or after 30 seconds with the number of tasks that still run in the background. Refuses a second advance while one is running. Needs an API key with the scope `no_refunds` or `full`.
   */
  advanceTestClock(body: Body<'advanceTestClock'>, options?: WriteOptions): Promise<TestClockAdvance>

  /**
   * Simulate the outcome of a payment.
   *
   * Settles or declines the pending payment of an order that is charged to a saved payment method. The outcome is applied a few seconds later, with `order.paid` or `order.payment_failed`. The response is the order before the outcome. Refuses an order without such a payment, and a second request while the first is queued. Needs an API key with the scope `no_refunds` or `full`.
   */
  simulatePayment(id: string, body: Body<'simulatePayment'>, options?: WriteOptions): Promise<Order>

  /**
   * Renew a subscription early.
   *
   * Requests the next renewal of a subscription early. The renewal runs a few seconds later. The response is the subscription before the renewal. Sends `subscription.updated`, and `order.paid` or `order.payment_failed` for the outcome. Refuses: a subscription that is not active or has no next renewal, a second request while the first is unresolved, and `paid` if no payment method can be charged. Needs an API key with the scope `no_refunds` or `full`.
   */
  fastForwardRenewal(id: string, body?: Body<'fastForwardRenewal'>, options?: WriteOptions): Promise<Subscription>

  /**
   * Set the outcome of the next charges of a subscription.
   *
   * An addition to the contract. Makes the test provider decline the next charges of the subscription's payment method (`failed`), or accept them again (`paid`). The times of the charges do not change. The outcome applies until you change it, or to `times` charges. A pending charge keeps its outcome. Refuses a subscription without a payment method. Needs an API key with the scope `no_refunds` or `full`.
   */
  setPaymentBehavior(id: string, body: Body<'setPaymentBehavior'>, options?: WriteOptions): Promise<PaymentBehavior>

  /**
   * List webhook endpoints.
   *
   * Returns the webhook endpoints of the storefront and mode, newest first. At most five exist.
   */
  listWebhookEndpoints(query?: Query<'listWebhookEndpoints'>, options?: RequestOptions): List<WebhookEndpoint>

  /**
   * Register a webhook endpoint.
   *
   * Registers an endpoint after a check: the URL must respond to a signed `webhook.setup` ping with 2xx within 10 seconds. The URL must be public, have a valid certificate, and not be registered yet. A storefront can have five endpoints in each mode. Needs an API key with the scope `no_refunds` or `full`.
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
   * Changes the URL, the secret or the events. A new URL is checked as at registration. Omitted fields keep their values. An empty body changes nothing. Needs an API key with the scope `no_refunds` or `full`.
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
   * Sends a signed `webhook.setup` event to the URL of the endpoint again, and returns the response of the receiver within 10 seconds. The status is 200 even if the receiver is down. The ping is not stored and not repeated. Needs an API key with the scope `no_refunds` or `full`.
   */
  pingWebhookEndpoint(id: string, options?: WriteOptions): Promise<WebhookPing>

  /**
   * List webhook events.
   *
   * Returns the events of the storefront and mode, newest first. Each event equals the body of its delivery. The operator configures how long events are kept.
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
