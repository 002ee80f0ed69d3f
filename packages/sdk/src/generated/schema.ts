// Generated from docs/openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/v1/chargebacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List chargebacks.
         * @description Returns the chargebacks of the storefront and mode, newest first. The provider creates chargebacks: `order.chargeback_received` reports a new chargeback, and `order.chargeback_reversed` reports a chargeback that is won or rejected.
         */
        get: operations["listChargebacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chargebacks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a chargeback.
         * @description Returns a chargeback.
         */
        get: operations["getChargeback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List checkouts.
         * @description Returns the checkouts of the storefront and mode, newest first.
         */
        get: operations["listCheckouts"];
        put?: never;
        /**
         * Create a checkout.
         * @description Creates a checkout with a snapshot of its products. The buyer pays at `links.checkoutUrl`. A payment sends `checkout.paid`, `subscription.started` for each plan, and `order.paid`, in this order. A declined payment sends `checkout.failed`; a checkout that ends without a payment sends `checkout.canceled` or `checkout.expired`. Refuses products that are archived or not active, and products with different `taxBehavior`. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["createCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a checkout.
         * @description Returns a checkout.
         */
        get: operations["getCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkouts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the price of a checkout.
         * @description An addition to the contract. Returns what a buyer would pay, with tax, for a pricing page. Creates nothing. The preview checks only the form of a tax ID and does not ask the registry. It treats the tax ID as valid, unless the registry rejected the tax ID within the last day. Refuses products that a checkout refuses, a tax ID of a different country, and a currency that is not offered in the country. No idempotency key is needed.
         */
        post: operations["previewCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers.
         * @description Returns the customers of the storefront and mode, newest first. With `email`, returns only the customers with that email address in canonical form.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Get or create a customer.
         * @description Returns 201 with a new customer, or 200 with the existing customer of the email address. An existing customer does not change: `name` and `metadata` are ignored. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer.
         * @description Returns a customer.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a customer.
         * @description Changes the name, the email address, or the metadata. Other fields are ignored: only the customer changes billing details, on hosted pages. Sends no event. Refuses the email address of another customer. Needs an API key with the scope `no_refunds` or `full`.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/v1/customers/{id}/portal-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a session of the customer portal.
         * @description Returns a link to the portal. The link works once, within 15 minutes. Redirect the customer to the link, and do not log or store the link. Refuses a customer without an issued invoice, and a customer whose data was erased (`portal_not_eligible`). Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["createPortalSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the subscriptions of a customer.
         * @description Returns the subscriptions of one customer, newest first.
         */
        get: operations["listCustomerSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/subscriptions/{subscriptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a subscription of a customer.
         * @description Returns a subscription of one customer.
         */
        get: operations["getCustomerSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/one-off-products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one-off products.
         * @description Returns the products of the storefront and mode, newest first. Archived products are listed with `includeArchived=true` only.
         */
        get: operations["listOneOffProducts"];
        put?: never;
        /**
         * Create a one-off product.
         * @description Creates a product. In test mode it is `active` at once. In live mode it is `pending` until an operator approves it. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["createOneOffProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/one-off-products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a one-off product.
         * @description Returns a product, archived or not.
         */
        get: operations["getOneOffProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Submit an update of a one-off product.
         * @description Submits an update. The update replaces a pending update that is not yet under review, so send all changes to the live product together. Fields that equal the live values are ignored. If no field differs, the pending update is withdrawn. In live mode an operator reviews the update. In test mode the update is approved within seconds. Sends `one_off_product.update_submitted`, and `one_off_product.update_approved` or `one_off_product.update_rejected` after the review. Refuses an update during the review. Needs an API key with the scope `no_refunds` or `full`.
         */
        patch: operations["updateOneOffProduct"];
        trace?: never;
    };
    "/v1/one-off-products/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a one-off product.
         * @description Takes a product off sale. Lists hide it and checkouts refuse it. A pending update stays. Sends `one_off_product.archived`. A repeated request changes nothing. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["archiveOneOffProduct"];
        /**
         * Unarchive a one-off product.
         * @description Puts an archived product back on sale, and sends `one_off_product.unarchived`. Changes nothing if the product is not archived. Needs an API key with the scope `no_refunds` or `full`.
         */
        delete: operations["unarchiveOneOffProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders.
         * @description Returns the orders of the storefront and mode, newest first: sales, renewals, changes of subscriptions, verifications of payment methods, and credit notes.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order.
         * @description Returns an order with its lines and taxes.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/chargebacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chargebacks of an order.
         * @description Returns the chargebacks of an order, newest first.
         */
        get: operations["listOrderChargebacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/chargebacks/{chargebackId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a chargeback of an order.
         * @description Returns a chargeback of an order.
         */
        get: operations["getOrderChargeback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/invoice-update-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to update an invoice.
         * @description Returns a signed link to a hosted page on which the customer corrects the name, company, address or tax ID on the invoice. If the customer adds a valid tax ID to an invoice with tax, the service refunds the tax: it issues a credit note and a new invoice without tax. The link is valid for 24 hours. An update of an invoice sends no event, unless the customer also applies the details to subscriptions (`subscription.billing_updated`). Refuses an order without an invoice. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["createInvoiceUpdateLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel the unpaid order of a change.
         * @description An addition to the contract. Cancels the order of a change whose payment failed. The subscription returns at once to the plan, price, quantity and billing cycle before the change. Sends `order.canceled` and `subscription.updated` (reason `change_reverted`). Refuses: an order without an open recovery, an order with a charge in progress, and the order of a renewal or a sale. To end the recovery of a renewal or a sale, cancel the subscription instead. Needs an API key with the scope `no_refunds` or `full`.
         */
        delete: operations["cancelRecovery"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the refunds of an order.
         * @description Returns the refunds of an order, newest first.
         */
        get: operations["listOrderRefunds"];
        put?: never;
        /**
         * Refund part of an order.
         * @description Refunds lines of an order. The refund is `pending` for 60 seconds in test mode and 2 hours in live mode, and can be canceled during this time. Then it is sent to the bank as soon as the balance covers the amount. Sends `refund.completed` or `refund.failed` when the refund ends. Refuses more than the refundable amount of a line or of the order, an unpaid order, an order of 0.00, and a credit note. Needs an API key with the scope `full`.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/refunds/{refundId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a refund of an order.
         * @description Returns a refund of an order.
         */
        get: operations["getOrderRefund"];
        put?: never;
        post?: never;
        /**
         * Cancel a refund.
         * @description Cancels a refund that is still `pending` and sends `refund.canceled`. Its amount can be refunded again. Refuses a refund with any other status. Needs an API key with the scope `full`.
         */
        delete: operations["cancelRefund"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/refunds/full": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund the remaining amount of an order.
         * @description Refunds the remaining amount of an order. The refund is `pending` for 60 seconds in test mode and 2 hours in live mode, and can be canceled during this time. Then it is sent to the bank as soon as the balance covers the amount. Sends `refund.completed` or `refund.failed` when the refund ends. Refuses an unpaid order, an order of 0.00, a credit note, and an order that is already refunded in full. Needs an API key with the scope `full`.
         */
        post: operations["createFullRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links.
         * @description Returns the payment links of the storefront and mode, newest first.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link.
         * @description Creates a page with a permanent address, on which anybody can buy these products. A visit of the page creates nothing. The checkout is created when a buyer submits the form. Refuses products that are archived or rejected, and products with different `taxBehavior`. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment link.
         * @description Returns a payment link.
         */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a payment link.
         * @description Ends a payment link with `active: false`, or changes its name, URL, or metadata. Omitted fields keep their values. Existing checkouts do not change and can still be paid. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
         */
        patch: operations["updatePaymentLink"];
        trace?: never;
    };
    "/v1/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds.
         * @description Returns the refunds of the storefront and mode, newest first.
         */
        get: operations["listRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a refund.
         * @description Returns a refund.
         */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscription plans.
         * @description Returns the plans of the storefront and mode, newest first. Archived plans are listed with `includeArchived=true` only.
         */
        get: operations["listSubscriptionPlans"];
        put?: never;
        /**
         * Create a subscription plan.
         * @description Creates a plan. In test mode it is `active` at once. In live mode it is `pending` until an operator approves it. Sends no event. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["createSubscriptionPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a subscription plan.
         * @description Returns a plan, archived or not.
         */
        get: operations["getSubscriptionPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Submit an update of a subscription plan.
         * @description Submits an update. The update replaces a pending update that is not yet under review, so send all changes to the live plan together. Fields that equal the live values are ignored. If no field differs, the pending update is withdrawn. In live mode an operator reviews the update. In test mode the update is approved within seconds. Sends `subscription_plan.update_submitted`, and `subscription_plan.update_approved` or `subscription_plan.update_rejected` after the review. Refuses an update during the review, and a change of `interval` on a plan that a subscription ever used. Needs an API key with the scope `no_refunds` or `full`.
         */
        patch: operations["updateSubscriptionPlan"];
        trace?: never;
    };
    "/v1/subscription-plans/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a subscription plan.
         * @description Takes a plan off sale. Lists hide it, checkouts refuse it and no subscription can switch to it. Existing subscriptions stay as they are. Sends `subscription_plan.archived`. A repeated request changes nothing. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["archiveSubscriptionPlan"];
        /**
         * Unarchive a subscription plan.
         * @description Puts an archived plan back on sale, and sends `subscription_plan.unarchived`. Changes nothing if the plan is not archived. Needs an API key with the scope `no_refunds` or `full`.
         */
        delete: operations["unarchiveSubscriptionPlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions.
         * @description Returns the subscriptions of the storefront and mode, newest first.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a subscription.
         * @description Returns a subscription.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        /**
         * Cancel a subscription.
         * @description By default, the subscription ends at the end of the paid period. Sends `subscription.canceled_with_grace_period`, and at the end `subscription.cancellation_grace_period_completed`. With `immediately=true`, or without remaining paid time, the subscription ends now and sends `subscription.canceled_immediately`. Discards the scheduled update and prorated amounts that wait for the next renewal. A repeated request without `immediately` changes nothing. Refuses a subscription that has not started or has ended. Needs an API key with the scope `no_refunds` or `full`.
         */
        delete: operations["cancelSubscription"];
        options?: never;
        head?: never;
        /**
         * Change a subscription.
         * @description Changes the plan, quantity or price, now or at the next renewal. `metadata` changes at once. At least one of `subscriptionPlanId`, `quantity`, `price` and `metadata` is required. An immediate change sends `subscription.updated`. A scheduled change sends `subscription.update_scheduled`, and `subscription.updated` at the renewal. The charge of a change sends `order.paid` or `order.payment_failed`. Values that equal the current values change nothing. Refuses: a scheduled change in a grace period, a change whose credit exceeds its charge, an archived plan, and more than 20 immediate charges of a subscription in an hour. Needs an API key with the scope `no_refunds` or `full`.
         */
        patch: operations["changeSubscription"];
        trace?: never;
    };
    "/v1/subscriptions/{id}/billing-update-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to update billing details.
         * @description Returns a signed link to a hosted page on which the customer changes the billing details and the payment method of a subscription. The link is valid for 24 hours. A change sends `subscription.billing_updated`. A new payment method is charged for outstanding amounts. Refuses a subscription that has not started or has ended. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["createBillingUpdateLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a change of a subscription.
         * @description An addition to the contract. Takes the body of PATCH, changes nothing, and returns the amounts that the change would charge. If a rule refuses the change, the response has the status 200 and contains the rule in `refusal`. PATCH with the `asOf` of the preview charges exactly these amounts, or is refused. No idempotency key is needed.
         */
        post: operations["previewSubscriptionChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a canceled subscription.
         * @description Withdraws a cancellation during the grace period. The subscription is active, in trial, or paused again, as before the cancellation. Nothing is charged. Sends `subscription.resumed`. Refuses a subscription that is not in its grace period. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the test clock.
         * @description Returns the time on the storefront's test clock.
         */
        get: operations["getTestClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the test clock.
         * @description Moves the storefront's test clock forward, and runs the tasks that become due, in the order of their due times. The response arrives when all tasks have run, or after 30 seconds with the number of tasks that still run in the background. Refuses a second advance while one is running. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["advanceTestClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/orders/{id}/simulate-payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate the outcome of a payment.
         * @description Settles or declines the pending payment of an order that is charged to a saved payment method. The outcome is applied a few seconds later, with `order.paid` or `order.payment_failed`. The response is the order before the outcome. Refuses an order without such a payment, and a second request while the first is queued. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["simulatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/subscriptions/{id}/fast-forward-renewal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew a subscription early.
         * @description Requests the next renewal of a subscription early. The renewal runs a few seconds later. The response is the subscription before the renewal. Sends `subscription.updated`, and `order.paid` or `order.payment_failed` for the outcome. Refuses: a subscription that is not active or has no next renewal, a second request while the first is unresolved, and `paid` if no payment method can be charged. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["fastForwardRenewal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/subscriptions/{id}/payment-behavior": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the outcome of the next charges of a subscription.
         * @description An addition to the contract. Makes the test provider decline the next charges of the subscription's payment method (`failed`), or accept them again (`paid`). The times of the charges do not change. The outcome applies until you change it, or to `times` charges. A pending charge keeps its outcome. Refuses a subscription without a payment method. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["setPaymentBehavior"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints.
         * @description Returns the webhook endpoints of the storefront and mode, newest first. At most five exist.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Register a webhook endpoint.
         * @description Registers an endpoint after a check: the URL must respond to a signed `webhook.setup` ping with 2xx within 10 seconds. The URL must be public, have a valid certificate, and not be registered yet. A storefront can have five endpoints in each mode. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint.
         * @description Returns a webhook endpoint, without its secret.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint.
         * @description Deletes an endpoint. Deliveries to it stop at once. Needs an API key with the scope `no_refunds` or `full`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Update a webhook endpoint.
         * @description Changes the URL, the secret or the events. A new URL is checked as at registration. Omitted fields keep their values. An empty body changes nothing. Needs an API key with the scope `no_refunds` or `full`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ping a webhook endpoint.
         * @description Sends a signed `webhook.setup` event to the URL of the endpoint again, and returns the response of the receiver within 10 seconds. The status is 200 even if the receiver is down. The ping is not stored and not repeated. Needs an API key with the scope `no_refunds` or `full`.
         */
        post: operations["pingWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook events.
         * @description Returns the events of the storefront and mode, newest first. Each event equals the body of its delivery. The operator configures how long events are kept.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook event.
         * @description Returns an event exactly as it is delivered.
         */
        get: operations["getWebhookEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The body of every error response. */
        ApiError: {
            /** @description A message for people. */
            message: string;
            /**
             * @description A stable code for programs.
             * @enum {string}
             */
            code: "already_in_flight" | "body_too_large" | "clock_busy" | "endpoint_not_found" | "idempotency_answer_lost" | "idempotency_in_progress" | "idempotency_mismatch" | "insufficient_scope" | "internal" | "malformed_json" | "method_not_allowed" | "not_an_object" | "not_found" | "order_not_in_recovery" | "plan_in_use" | "portal_not_eligible" | "rate_limited" | "refund_not_cancelable" | "renewal_order" | "storefront_suspended" | "subscription_not_cancelable" | "subscription_not_changeable" | "subscription_not_renewable" | "subscription_not_resumable" | "test_mode_only" | "too_many_charges" | "unauthenticated" | "unavailable" | "unsupported_media_type" | "update_under_review" | "validation_failed";
            /** @description The id of this request, as in the header `Request-Id`. */
            requestId: string;
            /** @description More information for programs. */
            details?: {
                [key: string]: unknown;
            };
            /** @description The violated rules, as messages by field. A field is a dot path with array indexes, such as `products.0.id`. */
            errors?: {
                [key: string]: string[];
            };
        };
        BillingAddress: {
            /** @description The buyer's name on invoices. */
            fullName: string | null;
            /** @description The buyer's company. */
            companyName: string | null;
            /** @description The buyer's tax ID, such as an EU VAT ID, without spaces, punctuation and invisible characters. */
            taxId: string | null;
            /** @description The street with its number. */
            streetAndNumber: string | null;
            /** @description A second line of the street. */
            streetAdditional: string | null;
            /** @description The city. */
            city: string | null;
            /** @description The region or state. */
            region: string | null;
            /** @description The postal code. */
            postalCode: string | null;
            /** @description The country as an ISO 3166-1 alpha-2 code in capital letters. */
            country: string | null;
        };
        Chargeback: {
            /** @description The id of this chargeback. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "chargeback";
            /** @description Whether the chargeback belongs to test mode. */
            testmode: boolean;
            /** @description The id of the customer. */
            customerId: string;
            /**
             * @description `requires_amount_review`: the disputed amount exceeds the total of the order, and an operator decides.
             * @enum {string}
             */
            status: "pending" | "requires_amount_review" | "accepted" | "rejected" | "evidence_submitted" | "won" | "lost";
            /** @description The disputed amount, as the provider reports it. */
            amount: components["schemas"]["Money"];
            /** @description The amount that is deducted from the merchant's balance: `total` plus the provider's fee. 0.00 during a review. */
            settlementAmount: components["schemas"]["Money"];
            /** @description The disputed amount with tax; at most the remaining amount of the order. */
            total: components["schemas"]["Money"];
            /** @description The disputed amount before tax; at most the remaining amount of the order. */
            subtotal: components["schemas"]["Money"];
            /** @description The taxes of this part of the order, by rate. */
            taxSummary: components["schemas"]["TaxLine"][];
            /** @description The reason of the dispute, such as `fraud` or `product_not_received`. */
            reason: string;
            /** @description The id of the disputed order. */
            originalOrderId: string;
            /** @description The id of the credit note. Null until the chargeback is `accepted` or `lost`. */
            orderId: string | null;
            /**
             * Format: date-time
             * @description When the chargeback arrived.
             */
            createdAt: string;
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
                /** @description The disputed order. */
                originalOrder: components["schemas"]["Link"];
                /** @description The credit note. Null until the chargeback is `accepted` or `lost`. */
                order: components["schemas"]["Link"] | null;
            };
        };
        Checkout: {
            /** @description The id of this checkout. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "checkout";
            /** @description Whether the checkout belongs to test mode. */
            testmode: boolean;
            /** @description The id of the order; null until the checkout is paid. */
            orderId: string | null;
            /** @description The id of the customer. Null before the customer is created. */
            customerId: string | null;
            /** @description The page that the buyer sees after the payment. */
            redirectUrlSuccess: string;
            /** @description The page that the buyer sees after a cancellation. */
            redirectUrlCanceled: string;
            /** @description The merchant's key-value pairs, as they were sent. Null if no pairs were sent. */
            metadata: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description The language of the page; null if the buyer's browser chooses it. */
            locale: ("en" | "de" | "fr" | "nl" | "es" | "it" | "pt" | "pl") | null;
            /** @description The id of the payment link that created the checkout. Null for other checkouts. */
            paymentLinkId: string | null;
            /**
             * @description `created`: nobody has paid. `failed`: a payment was declined, and the buyer can try again. `paid`, `canceled`, and `expired` are final.
             * @enum {string}
             */
            status: "created" | "paid" | "canceled" | "failed" | "expired";
            /** @description The time until which the buyer can pay. */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the checkout was created.
             */
            createdAt: string;
            /** @description Links to related resources and pages. */
            links: {
                /** @description The hosted page on which the buyer pays. */
                checkoutUrl: components["schemas"]["Link"];
                /** @description This resource. */
                self: components["schemas"]["Link"];
                /** @description The order; null until the checkout is paid. */
                order: components["schemas"]["Link"] | null;
            };
        };
        CheckoutCanceledEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "checkout.canceled";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "checkout";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Checkout"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        CheckoutExpiredEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "checkout.expired";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "checkout";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Checkout"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        CheckoutFailedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "checkout.failed";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "checkout";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Checkout"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        CheckoutPaidEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "checkout.paid";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "checkout";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Checkout"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        CheckoutPreview: {
            /**
             * @description The currency of all amounts.
             * @enum {string}
             */
            currency: "EUR" | "USD" | "GBP" | "CHF" | "SEK" | "NOK" | "DKK" | "PLN" | "CAD";
            /** @description The lines that the order would have. */
            lines: components["schemas"]["PreviewLine"][];
            /** @description The amount before tax. */
            subtotal: components["schemas"]["Money"];
            /** @description The taxes, by rate. */
            taxSummary: components["schemas"]["TaxLine"][];
            /** @description The amount with tax. */
            total: components["schemas"]["Money"];
            /** @description The recurring amounts of each plan for a billing interval. */
            recurring: {
                /** @description The id of the plan. */
                subscriptionPlanId: string;
                /** @description The number of units. */
                quantity: number;
                /**
                 * @description The unit of the billing interval.
                 * @enum {string}
                 */
                interval: "day" | "week" | "month" | "year";
                /** @description The number of interval units in a billing cycle. */
                intervalCount: number;
                /**
                 * Format: date-time
                 * @description When the first interval is charged: with the checkout, or at the end of the trial.
                 */
                firstChargeAt: string;
                /** @description The amount before tax. */
                subtotal: components["schemas"]["Money"];
                /** @description The taxes, by rate. */
                taxSummary: components["schemas"]["TaxLine"][];
                /** @description The amount with tax. */
                total: components["schemas"]["Money"];
            }[];
        };
        Customer: {
            /** @description The id of this customer. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "customer";
            /** @description Whether the customer belongs to test mode. */
            testmode: boolean;
            /** @description The email address in canonical form, with its domain in ASCII. */
            email: string;
            /** @description The display name. Invoices do not show this name. */
            name: string | null;
            /**
             * Format: date-time
             * @description When the customer was created.
             */
            createdAt: string;
            /** @description The merchant's key-value pairs, as they were sent. Null if no pairs were sent. */
            metadata: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        CustomerDetails: {
            /** @description The buyer's name on invoices. */
            fullName: string | null;
            /** @description The buyer's company. */
            companyName: string | null;
            /** @description The buyer's tax ID, such as an EU VAT ID, without spaces, punctuation and invisible characters. */
            taxId: string | null;
            /** @description The street with its number. */
            streetAndNumber: string | null;
            /** @description A second line of the street. */
            streetAdditional: string | null;
            /** @description The city. */
            city: string | null;
            /** @description The region or state. */
            region: string | null;
            /** @description The postal code. */
            postalCode: string | null;
            /** @description The country as an ISO 3166-1 alpha-2 code in capital letters. */
            country: string | null;
            /** @description The buyer's email address. */
            email: string | null;
        };
        Link: {
            /** @description The absolute URL. */
            href: string;
            /** @description The media type at that URL: `application/json` for a resource, `text/html` for a page. */
            type: string;
        };
        Money: {
            /** @description A decimal string with two decimals, unless stated otherwise. */
            value: string;
            /**
             * @description An ISO 4217 code.
             * @enum {string}
             */
            currency: "EUR" | "USD" | "GBP" | "CHF" | "SEK" | "NOK" | "DKK" | "PLN" | "CAD";
        };
        OneOffProduct: {
            /** @description The id of this item. */
            id: string;
            /** @description Whether the item belongs to test mode. */
            testmode: boolean;
            /** @description The name that buyers see. */
            name: string;
            /** @description The description that buyers see. */
            description: string;
            /** @description The price, with or without tax according to `taxBehavior`. */
            basePrice: components["schemas"]["Money"];
            /**
             * @description `exclusive`: tax is added to the price. `inclusive`: the price includes tax. Cannot be changed later.
             * @enum {string}
             */
            taxBehavior: "exclusive" | "inclusive";
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "one_off_product";
            /**
             * @description The type of the product: software as a service or an e-book.
             * @enum {string}
             */
            productType: "saas" | "ebook";
            /**
             * @description `active` can be sold. `pending` waits for its review. `rejected` was rejected by an operator.
             * @enum {string}
             */
            status: "active" | "pending" | "rejected";
            /** @description When the item was archived; null while it is on sale. */
            archivedAt: string | null;
            /** @description The fields of the pending update that differ from the live values. Null if no update is pending. */
            pendingUpdates: {
                /** @description The name after the update. */
                name?: string;
                /** @description The description after the update. */
                description?: string;
                /** @description The price after the update. */
                basePrice?: components["schemas"]["Money"];
                /**
                 * @description The type of the product after the update.
                 * @enum {string}
                 */
                productType?: "saas" | "ebook";
            } | null;
            /** @description Whether the pending update is under review. Null if no update is pending. */
            updateStatus: ("pending" | "reviewing") | null;
            /**
             * Format: date-time
             * @description When the item was created.
             */
            createdAt: string;
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        OneOffProductArchivedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "one_off_product.archived";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "one_off_product";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["OneOffProduct"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        OneOffProductUnarchivedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "one_off_product.unarchived";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "one_off_product";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["OneOffProduct"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        OneOffProductUpdateApprovedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "one_off_product.update_approved";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "one_off_product";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["OneOffProduct"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        OneOffProductUpdateRejectedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "one_off_product.update_rejected";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "one_off_product";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["OneOffProduct"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        OneOffProductUpdateSubmittedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "one_off_product.update_submitted";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "one_off_product";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["OneOffProduct"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        Order: {
            /** @description The id of this order. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "order";
            /** @description Whether the order belongs to test mode. */
            testmode: boolean;
            /** @description The id of the customer; null before the customer is created. */
            customerId: string | null;
            /** @description The merchant's key-value pairs, as they were sent. Null if no pairs were sent. */
            metadata: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description The payment method, such as `creditcard`, `ideal`, or, in live mode, `banktransfer`. The payment provider reports which method was used. */
            paymentMethod: string | null;
            /**
             * @description `pending` while a payment is in progress or a failed charge is retried. `paid` becomes `pending` again if the bank returns the direct debit.
             * @enum {string}
             */
            status: "created" | "pending" | "paid" | "canceled" | "expired";
            /** @description For an unpaid order: why the latest charge failed, and when the next charge is due. Otherwise null. */
            paymentFailure: components["schemas"]["PaymentFailure"] | null;
            /** @description The number of the invoice or credit note; null before it is issued. */
            invoiceNumber: string | null;
            /** @description On a credit note: the order whose amount the credit note returns. Null on every other order. */
            creditedOrderId: string | null;
            /** @description On an invoice that replaces the invoice of a paid order: the id of the paid order. Null on every other order. */
            replacesOrderId: string | null;
            /** @description The amount with tax. */
            total: components["schemas"]["Money"];
            /** @description The amount before tax. */
            subtotal: components["schemas"]["Money"];
            /** @description The amount that refunds and chargebacks have returned, before tax. */
            reversedSubtotal: components["schemas"]["Money"];
            /** @description The amount that can still be refunded, before tax. */
            refundableSubtotal: components["schemas"]["Money"];
            /** @description The taxes of the order, by rate. */
            taxSummary: components["schemas"]["TaxLine"][];
            /** @description The lines of the order. */
            lines: components["schemas"]["OrderLine"][];
            /** @description The buyer, as on the invoice. */
            customerDetails: components["schemas"]["CustomerDetails"];
            /**
             * Format: date-time
             * @description When the order was created.
             */
            createdAt: string;
            /** @description Links to related resources and pages. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
                /** @description The customer; null before the customer is created. */
                customer: components["schemas"]["Link"] | null;
                /** @description The page of the invoice. Present once the invoice has a number. */
                customerInvoice?: components["schemas"]["Link"];
            };
        };
        OrderCanceledEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "order.canceled";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "order";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Order"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        OrderChargebackReceivedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "order.chargeback_received";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "order";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Chargeback"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        OrderChargebackReversedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "order.chargeback_reversed";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "order";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Chargeback"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        OrderLine: {
            /** @description The id of this line. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "orderline";
            /** @description The description of the line. */
            description: string;
            /** @description The number of units. */
            quantity: number;
            /** @description The price of one unit, before tax. */
            basePrice: components["schemas"]["UnitPrice"];
            /** @description The subtotal and its taxes. */
            total: components["schemas"]["Money"];
            /** @description `basePrice` x `quantity`, rounded to cents. */
            subtotal: components["schemas"]["Money"];
            /** @description The taxes of the line, by rate. */
            taxes: components["schemas"]["TaxLine"][];
            /** @description The type of the resource in `productId`, or the kind of verification. Null on a credit note. */
            productType: ("one_off_product" | "subscription_plan" | "subscription" | "billing_details_verification" | "auth_request_product") | null;
            /** @description The id of the sold product, plan or subscription, or null. */
            productId: string | null;
            /** @description The metadata that the checkout stated for the product. Otherwise null. */
            metadata: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description Links to related resources. */
            links: {
                /** @description The order of this line. */
                order: components["schemas"]["Link"];
                /** @description The resource in `productId`. Null if `productId` is null. */
                product: components["schemas"]["Link"] | null;
            };
        };
        OrderPaidEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "order.paid";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "order";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Order"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        OrderPaymentFailedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "order.payment_failed";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "order";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Order"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        PaymentBehavior: {
            /**
             * @description The outcome of the next charges.
             * @enum {string}
             */
            outcome: "paid" | "failed";
            /** @description Why the charges fail. Null if the charges are paid. */
            failureReason: ("insufficient_funds" | "temporary_decline" | "general_failure" | "invalid_mandate" | "mandate_canceled" | "account_closed" | "card_expired" | "card_lost_or_stolen" | "invalid_card_details" | "authentication_failed" | "fraud_suspected") | null;
            /** @description The number of charges that fail. Null if every charge has this outcome until you change the outcome. */
            times: number | null;
        };
        PaymentFailure: {
            /**
             * @description Why the latest charge failed.
             * @enum {string}
             */
            failureReason: "insufficient_funds" | "temporary_decline" | "general_failure" | "invalid_mandate" | "mandate_canceled" | "account_closed" | "card_expired" | "card_lost_or_stolen" | "invalid_card_details" | "authentication_failed" | "fraud_suspected";
            /**
             * @description `soft`: the payment method stays and is charged again. `hard`: the customer must provide a new payment method.
             * @enum {string}
             */
            declineType: "soft" | "hard";
            /**
             * Format: date-time
             * @description When the latest charge failed.
             */
            failedAt: string;
            /** @description When the order is charged next. Null if no charge is scheduled, and while a charge is in progress. */
            nextAttemptAt: string | null;
        };
        PaymentLink: {
            /** @description The id of this payment link. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "payment_link";
            /** @description Whether the payment link belongs to test mode. */
            testmode: boolean;
            /** @description The name that the merchant sees. Buyers do not see it. */
            name: string;
            /** @description The permanent address of the page on which buyers buy. */
            url: string;
            /** @description Whether buyers can buy. If false, the page says that the offer has ended. */
            active: boolean;
            /** @description The products and plans that are sold. */
            items: {
                /** @description The id of the product or plan. */
                id: string;
                /** @description The number of units. With a quantity range, the number that the form shows at first. */
                quantity: number;
                /** @description The minimum quantity that the buyer can choose. Null if the quantity is fixed. */
                minQuantity: number | null;
                /** @description The maximum quantity that the buyer can choose. Null if the quantity is fixed. */
                maxQuantity: number | null;
                /** @description The price, instead of the price of the product. Null if the price of the product applies. */
                price: components["schemas"]["Money"] | null;
                /** @description The length of the trial in days, from the payment. Null without a trial. */
                trialDays: number | null;
                /** @description The merchant's key-value pairs, as they were sent. Null if no pairs were sent. */
                metadata: {
                    [key: string]: string | number | boolean;
                } | null;
            }[];
            /** @description The page that the buyer sees after the payment. Null if the buyer stays on the checkout page. */
            redirectUrlSuccess: string | null;
            /** @description The language of the page; null if the buyer's browser chooses it. */
            locale: ("en" | "de" | "fr" | "nl" | "es" | "it" | "pt" | "pl") | null;
            /** @description The merchant's key-value pairs, as they were sent. Null if no pairs were sent. */
            metadata: {
                [key: string]: string | number | boolean;
            } | null;
            /**
             * Format: date-time
             * @description When the payment link was created.
             */
            createdAt: string;
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        PortalSession: {
            /** @description A single-use URL to redirect the customer to. */
            url: string;
            /**
             * Format: date-time
             * @description When the link expires. The browser session that starts with the link does not depend on this time.
             */
            expiresAt: string;
            /** @description The page to which the portal links back, or null. */
            returnUrl: string | null;
        };
        PreviewLine: {
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "orderline";
            /** @description The description of the line. */
            description: string;
            /** @description The number of units. */
            quantity: number;
            /** @description The price of one unit, before tax. */
            basePrice: components["schemas"]["UnitPrice"];
            /** @description The subtotal and its taxes. */
            total: components["schemas"]["Money"];
            /** @description `basePrice` x `quantity`, rounded to cents. */
            subtotal: components["schemas"]["Money"];
            /** @description The taxes of the line, by rate. */
            taxes: components["schemas"]["TaxLine"][];
            /** @description The type of the resource in `productId`, or the kind of verification. Null on a credit note. */
            productType: ("one_off_product" | "subscription_plan" | "subscription" | "billing_details_verification" | "auth_request_product") | null;
            /** @description The id of the sold product, plan or subscription, or null. */
            productId: string | null;
            /** @description The metadata that the checkout stated for the product. Otherwise null. */
            metadata: {
                [key: string]: string | number | boolean;
            } | null;
        };
        Recovery: {
            /** @description The unpaid order. */
            orderId: string;
            /** @description The amount of the order, with tax. */
            amountDue: components["schemas"]["Money"];
            /**
             * @description Why the latest charge failed.
             * @enum {string}
             */
            failureReason: "insufficient_funds" | "temporary_decline" | "general_failure" | "invalid_mandate" | "mandate_canceled" | "account_closed" | "card_expired" | "card_lost_or_stolen" | "invalid_card_details" | "authentication_failed" | "fraud_suspected";
            /**
             * @description `soft`: the payment method stays and is charged again. `hard`: the customer must provide a new payment method.
             * @enum {string}
             */
            declineType: "soft" | "hard";
            /**
             * Format: date-time
             * @description When the latest charge failed.
             */
            failedAt: string;
            /** @description When the order is charged next. Null if no charge is scheduled, and while a charge is in progress. */
            nextAttemptAt: string | null;
            /** @description When the order is canceled if no payment succeeds. Null while a charge is in progress. */
            endsAt: string | null;
            /** @description In test mode: `simulate-payment` if the charge in progress waits for this test helper. Otherwise null. */
            waitsFor: "simulate-payment" | null;
        };
        Refund: {
            /** @description The id of this refund. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "refund";
            /** @description Whether the refund belongs to test mode. */
            testmode: boolean;
            /** @description The id of the credit note; null until the refund is `refunded`. */
            orderId: string | null;
            /** @description The id of the customer. */
            customerId: string;
            /**
             * @description `pending` can be canceled. `queued` waits for the balance. `processing` is at the bank.
             * @enum {string}
             */
            status: "pending" | "queued" | "processing" | "refunded" | "failed" | "canceled";
            /** @description The id of the order that is refunded. */
            originalOrderId: string;
            /** @description The amount with tax. */
            total: components["schemas"]["Money"];
            /** @description The amount before tax. */
            subtotal: components["schemas"]["Money"];
            /** @description The taxes of the refund, by rate. */
            taxSummary: components["schemas"]["TaxLine"][];
            /** @description The lines of the refund. */
            lines: components["schemas"]["RefundLine"][];
            /**
             * Format: date-time
             * @description When the refund was requested.
             */
            createdAt: string;
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
                /** @description The order that is refunded. */
                originalOrder: components["schemas"]["Link"];
                /** @description The credit note; null until the refund is `refunded`. */
                order: components["schemas"]["Link"] | null;
            };
        };
        RefundCanceledEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "refund.canceled";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "refund";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Refund"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        RefundCompletedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "refund.completed";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "refund";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Refund"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        RefundFailedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "refund.failed";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "refund";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Refund"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        RefundLine: {
            /** @description The id of this line. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "refundline";
            /** @description The description of the line. */
            description: string;
            /** @description The number of units. */
            quantity: number;
            /** @description The price of one unit, before tax. */
            basePrice: components["schemas"]["UnitPrice"];
            /** @description The subtotal and its taxes. */
            total: components["schemas"]["Money"];
            /** @description `basePrice` x `quantity`, rounded to cents. */
            subtotal: components["schemas"]["Money"];
            /** @description The taxes of the line, by rate. */
            taxes: components["schemas"]["TaxLine"][];
        };
        Subscription: {
            /** @description The id of this subscription. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "subscription";
            /** @description Whether the subscription belongs to test mode. */
            testmode: boolean;
            /** @description The id of the customer. */
            customerId: string;
            /** @description The id of the plan. */
            subscriptionPlanId: string;
            /** @description The name of the plan. */
            name: string;
            /** @description The description of the plan. */
            description: string;
            /** @description The price of one unit for a billing interval, with or without tax as on the plan. */
            basePrice: components["schemas"]["Money"];
            /** @description The number of units, such as seats. */
            quantity: number;
            /**
             * @description The unit of the billing interval.
             * @enum {string}
             */
            interval: "day" | "week" | "month" | "year";
            /** @description The number of interval units in a billing cycle. */
            intervalCount: number;
            /** @description The billing details of the next order. */
            billingAddress: components["schemas"]["BillingAddress"];
            /**
             * @description `created` waits for its first payment. `on_grace_period` is canceled and lasts until the end of the paid period.
             * @enum {string}
             */
            status: "created" | "trial" | "active" | "canceled" | "on_grace_period" | "paused";
            /** @description Why the subscription is canceled; null if no cancellation was requested. */
            cancellationReason: ("payment_failure" | "merchant_request" | "customer_request") | null;
            /** @description The feedback that the customer gave with a cancellation in the portal. Null without feedback. */
            cancellationFeedback: {
                /** @description The reason that the customer chose. */
                reason: ("too_expensive" | "not_used" | "missing_features" | "switched" | "other") | null;
                /** @description The customer's own words. */
                comment: string | null;
            } | null;
            /** @description The payment method that is charged; null without one. */
            mandate: {
                /**
                 * @description The type of the payment method.
                 * @enum {string}
                 */
                method: "card" | "sepa_debit" | "paypal" | "bacs_debit";
                /** @description The masked identifier, such as the last 4 digits of a card. */
                maskedIdentifier: string;
            } | null;
            /** @description When the subscription started; null before that. */
            startedAt: string | null;
            /** @description When the subscription ended. Null during a grace period. */
            endedAt: string | null;
            /** @description When the subscription was canceled. Null again after a resume. */
            canceledAt: string | null;
            /** @description When the subscription was last renewed. Null before the first renewal. */
            renewedAt: string | null;
            /** @description The end of the current billing period, or of the trial. */
            renewedUntil: string | null;
            /** @description The end of the last period whose order was paid; equals `renewedUntil` when nothing is owed. */
            paidUntil: string | null;
            /** @description When the subscription renews next. Null after a cancellation or end. */
            nextRenewalAt: string | null;
            /** @description The end of the trial; null outside a trial. */
            trialUntil: string | null;
            /** @description The merchant's key-value pairs, as they were sent. Null if no pairs were sent. */
            metadata: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description The values after the next renewal, if a change is scheduled. Otherwise null. */
            scheduledUpdate: {
                /** @description The id of the plan. */
                subscriptionPlanId: string;
                /** @description The name of the plan. */
                name: string;
                /** @description The description of the plan. */
                description: string;
                /** @description The price of one unit for a billing interval, with or without tax as on the plan. */
                basePrice: components["schemas"]["Money"];
                /** @description The number of units, such as seats. */
                quantity: number;
                /**
                 * @description The unit of the billing interval.
                 * @enum {string}
                 */
                interval: "day" | "week" | "month" | "year";
                /** @description The number of interval units in a billing cycle. */
                intervalCount: number;
                /** @description The time of the next renewal. Null if no renewal is scheduled. */
                effectiveAt: string | null;
            } | null;
            /** @description The order whose payment failed, and the next steps. Otherwise null. */
            recovery: components["schemas"]["Recovery"] | null;
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
                /** @description The customer. */
                customer: components["schemas"]["Link"];
            };
        };
        SubscriptionBillingUpdatedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription.billing_updated";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Subscription"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionCanceledForNonpaymentEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription.canceled_for_nonpayment";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Subscription"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionCanceledImmediatelyEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription.canceled_immediately";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Subscription"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionCanceledWithGracePeriodEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription.canceled_with_grace_period";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Subscription"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionCancellationGracePeriodCompletedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription.cancellation_grace_period_completed";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Subscription"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionChangePreview: {
            /** @description The order of the change, charged at once; null if nothing is charged. */
            dueNow: {
                /** @description The lines that the order would have. */
                lines: components["schemas"]["PreviewLine"][];
                /** @description The amount before tax. */
                subtotal: components["schemas"]["Money"];
                /** @description The taxes, by rate. */
                taxSummary: components["schemas"]["TaxLine"][];
                /** @description The amount with tax. */
                total: components["schemas"]["Money"];
            } | null;
            /** @description The order of the next renewal after the change; null if no renewal is due. */
            nextRenewal: {
                /**
                 * Format: date-time
                 * @description When the subscription renews.
                 */
                at: string;
                /** @description The lines that the order would have. */
                lines: components["schemas"]["PreviewLine"][];
                /** @description The amount before tax. */
                subtotal: components["schemas"]["Money"];
                /** @description The taxes, by rate. */
                taxSummary: components["schemas"]["TaxLine"][];
                /** @description The amount with tax. */
                total: components["schemas"]["Money"];
            } | null;
            /** @description The error with which PATCH would refuse the change: `code`, `message`, and `errors`. Null if PATCH would accept the change. */
            refusal: {
                /**
                 * @description The code of the refusal.
                 * @enum {string}
                 */
                code: "storefront_suspended" | "subscription_not_changeable" | "too_many_charges" | "validation_failed";
                /** @description A message for people. */
                message: string;
                /** @description Messages by field, if the refusal names fields. */
                errors?: {
                    [key: string]: string[];
                };
            } | null;
            /**
             * Format: date-time
             * @description The time of the preview. Send `asOf` with PATCH to get exactly these amounts.
             */
            asOf: string;
        };
        SubscriptionPlan: {
            /** @description The id of this item. */
            id: string;
            /** @description Whether the item belongs to test mode. */
            testmode: boolean;
            /** @description The name that buyers see. */
            name: string;
            /** @description The description that buyers see. */
            description: string;
            /** @description The price, with or without tax according to `taxBehavior`. */
            basePrice: components["schemas"]["Money"];
            /**
             * @description `exclusive`: tax is added to the price. `inclusive`: the price includes tax. Cannot be changed later.
             * @enum {string}
             */
            taxBehavior: "exclusive" | "inclusive";
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "subscription_plan";
            /**
             * @description The unit of the billing interval. `day` exists in test mode only.
             * @example month
             * @enum {string}
             */
            interval: "day" | "week" | "month" | "year";
            /** @description The number of interval units in a billing cycle. 1 if `interval` is `year`. */
            intervalCount: number;
            /**
             * @description Always `saas`.
             * @constant
             */
            productType: "saas";
            /**
             * @description `active` can be sold. `pending` waits for its review. `rejected` was rejected by an operator.
             * @enum {string}
             */
            status: "active" | "pending" | "rejected";
            /** @description When the item was archived; null while it is on sale. */
            archivedAt: string | null;
            /** @description The fields of the pending update that differ from the live values. Null if no update is pending. */
            pendingUpdates: {
                /** @description The name after the update. */
                name?: string;
                /** @description The description after the update. */
                description?: string;
                /** @description The price after the update. */
                basePrice?: components["schemas"]["Money"];
                /**
                 * @description The unit of the billing interval after the update.
                 * @example month
                 * @enum {string}
                 */
                interval?: "day" | "week" | "month" | "year";
                /** @description The number of interval units in a billing cycle after the update. */
                intervalCount?: number;
            } | null;
            /** @description Whether the pending update is under review. Null if no update is pending. */
            updateStatus: ("pending" | "reviewing") | null;
            /**
             * Format: date-time
             * @description When the item was created.
             */
            createdAt: string;
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionPlanArchivedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription_plan.archived";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription_plan";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["SubscriptionPlan"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionPlanUnarchivedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription_plan.unarchived";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription_plan";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["SubscriptionPlan"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionPlanUpdateApprovedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription_plan.update_approved";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription_plan";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["SubscriptionPlan"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionPlanUpdateRejectedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription_plan.update_rejected";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription_plan";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["SubscriptionPlan"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionPlanUpdateSubmittedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription_plan.update_submitted";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription_plan";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["SubscriptionPlan"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionResumedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription.resumed";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Subscription"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionStartedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription.started";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Subscription"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionUpdatedEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription.updated";
            /**
             * @description Why `subscription.updated` was sent. Null on every other event.
             * @enum {string}
             */
            reason: "updated_immediately" | "updated_on_renewal" | "renewed" | "change_reverted" | "metadata_changed";
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Subscription"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        SubscriptionUpdateScheduledEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventName: "subscription.update_scheduled";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "subscription";
            /** @description The id of the entity. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The resource as it was when the event was created. */
            object: components["schemas"]["Subscription"];
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        TaxLine: {
            /** @description The rate that applies. */
            taxRate: components["schemas"]["TaxRate"];
            /** @description The tax amount. */
            amount: components["schemas"]["Money"];
        };
        TaxRate: {
            /** @description The name of the tax, such as `VAT`. */
            name: string;
            /** @description The rate in percent, such as 21 or 9.975. */
            percentage: number;
            /** @description The part of the amount that is taxed, in percent. */
            taxablePercentage: number;
        };
        TestClock: {
            /**
             * Format: date-time
             * @description The time on the test clock.
             */
            now: string;
        };
        TestClockAdvance: {
            /**
             * Format: date-time
             * @description The time on the test clock.
             */
            now: string;
            /** @description The number of tasks that this advance ran. */
            ran: number;
            /** @description The number of due tasks that are still running in the background. */
            remaining: number;
            /** @description The orders that wait for `simulate-payment`, the oldest first, at most 100. */
            waiting: {
                /** @description The order. */
                orderId: string;
                /** @description The subscription of the order. Null for a purchase. */
                subscriptionId: string | null;
            }[];
        };
        UnitPrice: {
            /** @description A decimal string with two to eight decimals. */
            value: string;
            /**
             * @description An ISO 4217 code.
             * @enum {string}
             */
            currency: "EUR" | "USD" | "GBP" | "CHF" | "SEK" | "NOK" | "DKK" | "PLN" | "CAD";
        };
        WebhookEndpoint: {
            /** @description The id of this endpoint. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_endpoint";
            /** @description Whether the endpoint receives the events of test mode. */
            testmode: boolean;
            /** @description The HTTPS URL to which events are sent. */
            url: string;
            /** @description The names of the events that are sent. If empty, no events are sent. */
            enabledEvents: string[];
            /**
             * Format: date-time
             * @description When the endpoint was registered.
             */
            createdAt: string;
            /** @description Links to related resources. */
            links: {
                /** @description This resource. */
                self: components["schemas"]["Link"];
            };
        };
        /** @description An event. `eventName` determines the shape of `object`. */
        WebhookEvent: components["schemas"]["OrderPaidEvent"] | components["schemas"]["OrderCanceledEvent"] | components["schemas"]["OrderPaymentFailedEvent"] | components["schemas"]["OrderChargebackReceivedEvent"] | components["schemas"]["OrderChargebackReversedEvent"] | components["schemas"]["RefundCompletedEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["RefundCanceledEvent"] | components["schemas"]["SubscriptionStartedEvent"] | components["schemas"]["SubscriptionUpdatedEvent"] | components["schemas"]["SubscriptionUpdateScheduledEvent"] | components["schemas"]["SubscriptionBillingUpdatedEvent"] | components["schemas"]["SubscriptionResumedEvent"] | components["schemas"]["SubscriptionCanceledImmediatelyEvent"] | components["schemas"]["SubscriptionCanceledForNonpaymentEvent"] | components["schemas"]["SubscriptionCanceledWithGracePeriodEvent"] | components["schemas"]["SubscriptionCancellationGracePeriodCompletedEvent"] | components["schemas"]["CheckoutPaidEvent"] | components["schemas"]["CheckoutFailedEvent"] | components["schemas"]["CheckoutCanceledEvent"] | components["schemas"]["CheckoutExpiredEvent"] | components["schemas"]["OneOffProductUpdateSubmittedEvent"] | components["schemas"]["OneOffProductUpdateApprovedEvent"] | components["schemas"]["OneOffProductUpdateRejectedEvent"] | components["schemas"]["OneOffProductArchivedEvent"] | components["schemas"]["OneOffProductUnarchivedEvent"] | components["schemas"]["SubscriptionPlanUpdateSubmittedEvent"] | components["schemas"]["SubscriptionPlanUpdateApprovedEvent"] | components["schemas"]["SubscriptionPlanUpdateRejectedEvent"] | components["schemas"]["SubscriptionPlanArchivedEvent"] | components["schemas"]["SubscriptionPlanUnarchivedEvent"];
        WebhookPing: {
            /** @description Whether the receiver responded with 2xx. */
            delivered: boolean;
            /** @description The status of the response; null without a response. */
            status: number | null;
            /** @description How long the request took, in milliseconds. */
            durationMs: number;
            /** @description Why there was no response, as a sentence; null with a response. */
            error: string | null;
        };
        WebhookSetupEvent: {
            /** @description The id of this event. */
            id: string;
            /**
             * @description The type of the resource.
             * @constant
             */
            resource: "webhook_event";
            /**
             * @description The name of the event.
             * @constant
             */
            eventName: "webhook.setup";
            /** @description Why `subscription.updated` was sent. Null on every other event. */
            reason: null;
            /**
             * @description The type of the entity.
             * @constant
             */
            entityType: "webhook";
            /** @description The id of the endpoint. */
            entityId: string;
            /** @description Whether the event belongs to test mode. */
            testmode: boolean;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            createdAt: string;
            /** @description The endpoint that is checked. */
            object: {
                /**
                 * @description The type of the resource.
                 * @constant
                 */
                resource: "webhook_endpoint";
                /** @description The id of the endpoint. */
                id: string;
                /** @description The URL of the endpoint. */
                url: string;
                /** @description Whether the endpoint receives the events of test mode. */
                testmode: boolean;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of this request, as in the logs of the service. */
        "Request-Id": string;
        /** @description The number of requests that are allowed per minute. This header and the two following headers are absent if there is no limit. */
        "RateLimit-Limit": number;
        /** @description The number of requests that the service would accept now. */
        "RateLimit-Remaining": number;
        /** @description The seconds until the maximum number of requests can be sent at once again. */
        "RateLimit-Reset": number;
        /** @description The seconds to wait before a retry. Absent if waiting does not help. */
        "Retry-After": number;
        /** @description Present if this is the stored response to an earlier request with the same `Idempotency-Key`. */
        "Idempotent-Replayed": "true";
        /** @description The body fields that the operation does not know, as dot paths, comma-separated. Absent if it knows all of them. */
        "Ignored-Fields": string;
        /** @description The scheme of authentication. */
        "WWW-Authenticate": "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listChargebacks: {
        parameters: {
            query?: {
                /** @description The maximum number of results on a page. */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /** @description Only the chargebacks of this customer. */
                customerId?: string;
                /** @description Only the chargebacks with this status. */
                status?: "pending" | "requires_amount_review" | "accepted" | "rejected" | "evidence_submitted" | "won" | "lost";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "chargeback_hab0S94LaYc58tm8a1s2Bb",
                     *           "resource": "chargeback",
                     *           "testmode": true,
                     *           "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "status": "pending",
                     *           "amount": {
                     *             "value": "3.00",
                     *             "currency": "EUR"
                     *           },
                     *           "settlementAmount": {
                     *             "value": "18.00",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "3.00",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "2.48",
                     *             "currency": "EUR"
                     *           },
                     *           "taxSummary": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "0.52",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "reason": "product_not_received",
                     *           "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *           "orderId": null,
                     *           "createdAt": "2027-03-21T09:02:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/chargebacks/chargeback_hab0S94LaYc58tm8a1s2Bb",
                     *               "type": "application/json"
                     *             },
                     *             "originalOrder": {
                     *               "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *               "type": "application/json"
                     *             },
                     *             "order": null
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/chargebacks",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["Chargeback"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    getChargeback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `chargeback_`.
                 * @example chargeback_hab0S94LaYc58tm8a1s2Bb
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chargeback_hab0S94LaYc58tm8a1s2Bb",
                     *       "resource": "chargeback",
                     *       "testmode": true,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "status": "pending",
                     *       "amount": {
                     *         "value": "3.00",
                     *         "currency": "EUR"
                     *       },
                     *       "settlementAmount": {
                     *         "value": "18.00",
                     *         "currency": "EUR"
                     *       },
                     *       "total": {
                     *         "value": "3.00",
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "value": "2.48",
                     *         "currency": "EUR"
                     *       },
                     *       "taxSummary": [
                     *         {
                     *           "taxRate": {
                     *             "name": "VAT",
                     *             "percentage": 21,
                     *             "taxablePercentage": 100
                     *           },
                     *           "amount": {
                     *             "value": "0.52",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "reason": "product_not_received",
                     *       "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *       "orderId": null,
                     *       "createdAt": "2027-03-21T09:02:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/chargebacks/chargeback_hab0S94LaYc58tm8a1s2Bb",
                     *           "type": "application/json"
                     *         },
                     *         "originalOrder": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *           "type": "application/json"
                     *         },
                     *         "order": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Chargeback"];
                };
            };
        };
    };
    listCheckouts: {
        parameters: {
            query?: {
                /** @description The maximum number of results on a page. */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /**
                 * @description Only the checkouts of this customer.
                 * @example customer_P4ur2GNl80NHXh6ea5XxqA
                 */
                customerId?: string;
                /** @description Only the checkouts with this status. */
                status?: "created" | "paid" | "canceled" | "failed" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "checkout_1nbCNg9W7tDNbTOvvjuLK2",
                     *           "resource": "checkout",
                     *           "testmode": true,
                     *           "orderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *           "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "redirectUrlSuccess": "https://shop.example/thanks?checkout=checkout_1nbCNg9W7tDNbTOvvjuLK2",
                     *           "redirectUrlCanceled": "https://shop.example/pricing",
                     *           "metadata": {
                     *             "cart": "c-77"
                     *           },
                     *           "locale": null,
                     *           "paymentLinkId": null,
                     *           "status": "paid",
                     *           "expiresAt": "2027-01-05T09:00:00Z",
                     *           "createdAt": "2027-01-04T09:00:00Z",
                     *           "links": {
                     *             "checkoutUrl": {
                     *               "href": "https://pay.example/checkout/7zGxuvnQrN3miPj6o1wibT4r470BahV8qDUEAh2wlkA0",
                     *               "type": "text/html"
                     *             },
                     *             "self": {
                     *               "href": "https://pay.example/v1/checkouts/checkout_1nbCNg9W7tDNbTOvvjuLK2",
                     *               "type": "application/json"
                     *             },
                     *             "order": {
                     *               "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/checkouts?customerId=customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["Checkout"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    createCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                 *       "products": [
                 *         {
                 *           "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                 *           "quantity": 3
                 *         },
                 *         {
                 *           "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld"
                 *         }
                 *       ],
                 *       "redirectUrlSuccess": "https://shop.example/thanks?checkout={CHECKOUT_ID}",
                 *       "redirectUrlCanceled": "https://shop.example/pricing",
                 *       "metadata": {
                 *         "cart": "c-77"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The products and plans to sell. All must have the same `taxBehavior`. */
                    products: {
                        /** @description A product or plan that is active and not archived. */
                        id: string;
                        /**
                         * @description The number of units.
                         * @default 1
                         */
                        quantity?: number;
                        /** @description The price, instead of the price of the product. For a plan, also the price of every renewal. */
                        price?: {
                            /**
                             * @description A decimal string with exactly two decimals, from 0.00 to 999999.99.
                             * @example 10.00
                             */
                            value: string;
                            /**
                             * @description An ISO 4217 code.
                             * @constant
                             */
                            currency: "EUR";
                        } | null;
                        /** @description The length of the trial in days, from the payment. Only for plans. */
                        trialDays?: number | null;
                        /** @description Key-value pairs for the merchant's use. Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500 characters. */
                        metadata?: {
                            [key: string]: string | number | boolean;
                        } | null;
                    }[];
                    /** @description Where the buyer goes after the payment. An absolute http or https URL. `{CHECKOUT_ID}` is replaced by the id of the checkout. */
                    redirectUrlSuccess: string;
                    /** @description Where the buyer goes after a cancellation. An absolute http or https URL. `{CHECKOUT_ID}` is replaced by the id of the checkout. */
                    redirectUrlCanceled: string;
                    /** @description Key-value pairs for the merchant's use. Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500 characters. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                    /** @description An existing customer, whose email address is prefilled. */
                    customerId?: string | null;
                    /** @description Billing details that are prefilled. The buyer can edit them. */
                    billingAddress?: {
                        /** @description The buyer's name on invoices. */
                        fullName?: string | null;
                        /** @description The buyer's company. */
                        companyName?: string | null;
                        /** @description The buyer's tax ID, such as an EU VAT ID, without spaces, punctuation and invisible characters. */
                        taxId?: string | null;
                        /** @description The street with its number. */
                        streetAndNumber?: string | null;
                        /** @description A second line of the street. */
                        streetAdditional?: string | null;
                        /** @description The city. */
                        city?: string | null;
                        /** @description The region or state. */
                        region?: string | null;
                        /** @description The postal code. */
                        postalCode?: string | null;
                        /** @description The country as an ISO 3166-1 alpha-2 code in capital letters. */
                        country?: string | null;
                    } | null;
                    /** @description A language, BCP 47 tag or POSIX locale that maps to one of en, de, fr, nl, es, it, pt, pl. If null, the buyer's browser decides. */
                    locale?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "checkout_1nbCNg9W7tDNbTOvvjuLK2",
                     *       "resource": "checkout",
                     *       "testmode": true,
                     *       "orderId": null,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "redirectUrlSuccess": "https://shop.example/thanks?checkout=checkout_1nbCNg9W7tDNbTOvvjuLK2",
                     *       "redirectUrlCanceled": "https://shop.example/pricing",
                     *       "metadata": {
                     *         "cart": "c-77"
                     *       },
                     *       "locale": null,
                     *       "paymentLinkId": null,
                     *       "status": "created",
                     *       "expiresAt": "2027-01-05T09:00:00Z",
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "checkoutUrl": {
                     *           "href": "https://pay.example/checkout/7zGxuvnQrN3miPj6o1wibT4r470BahV8qDUEAh2wlkA0",
                     *           "type": "text/html"
                     *         },
                     *         "self": {
                     *           "href": "https://pay.example/v1/checkouts/checkout_1nbCNg9W7tDNbTOvvjuLK2",
                     *           "type": "application/json"
                     *         },
                     *         "order": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Checkout"];
                };
            };
        };
    };
    getCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `checkout_`.
                 * @example checkout_1nbCNg9W7tDNbTOvvjuLK2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "checkout_1nbCNg9W7tDNbTOvvjuLK2",
                     *       "resource": "checkout",
                     *       "testmode": true,
                     *       "orderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "redirectUrlSuccess": "https://shop.example/thanks?checkout=checkout_1nbCNg9W7tDNbTOvvjuLK2",
                     *       "redirectUrlCanceled": "https://shop.example/pricing",
                     *       "metadata": {
                     *         "cart": "c-77"
                     *       },
                     *       "locale": null,
                     *       "paymentLinkId": null,
                     *       "status": "paid",
                     *       "expiresAt": "2027-01-05T09:00:00Z",
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "checkoutUrl": {
                     *           "href": "https://pay.example/checkout/7zGxuvnQrN3miPj6o1wibT4r470BahV8qDUEAh2wlkA0",
                     *           "type": "text/html"
                     *         },
                     *         "self": {
                     *           "href": "https://pay.example/v1/checkouts/checkout_1nbCNg9W7tDNbTOvvjuLK2",
                     *           "type": "application/json"
                     *         },
                     *         "order": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Checkout"];
                };
            };
        };
    };
    previewCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "products": [
                 *         {
                 *           "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                 *           "quantity": 3
                 *         },
                 *         {
                 *           "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld"
                 *         }
                 *       ],
                 *       "country": "DE"
                 *     }
                 */
                "application/json": {
                    /** @description As in a checkout. */
                    products: {
                        /** @description A product or plan that is active and not archived. */
                        id: string;
                        /**
                         * @description The number of units.
                         * @default 1
                         */
                        quantity?: number;
                        /** @description The price, instead of the price of the product. For a plan, also the price of every renewal. */
                        price?: {
                            /**
                             * @description A decimal string with exactly two decimals, from 0.00 to 999999.99.
                             * @example 10.00
                             */
                            value: string;
                            /**
                             * @description An ISO 4217 code.
                             * @constant
                             */
                            currency: "EUR";
                        } | null;
                        /** @description The length of the trial in days, from the payment. Only for plans. */
                        trialDays?: number | null;
                        /** @description Key-value pairs for the merchant's use. Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500 characters. */
                        metadata?: {
                            [key: string]: string | number | boolean;
                        } | null;
                    }[];
                    /** @description The buyer's country. */
                    country: string;
                    /** @description The buyer's postal code, where the tax depends on it. */
                    postalCode?: string | null;
                    /** @description The buyer's tax ID. */
                    taxId?: string | null;
                    /** @description The currency that the buyer pays in; `EUR` by default. */
                    currency?: ("EUR" | "USD" | "GBP" | "CHF" | "SEK" | "NOK" | "DKK" | "PLN" | "CAD") | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "currency": "EUR",
                     *       "lines": [
                     *         {
                     *           "resource": "orderline",
                     *           "description": "Team",
                     *           "quantity": 3,
                     *           "basePrice": {
                     *             "value": "10.00",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "35.70",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "30.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 19,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "5.70",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "productType": "subscription_plan",
                     *           "productId": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "metadata": null
                     *         },
                     *         {
                     *           "resource": "orderline",
                     *           "description": "Handbook",
                     *           "quantity": 1,
                     *           "basePrice": {
                     *             "value": "29.99",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "35.69",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "29.99",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 19,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "5.70",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "productType": "one_off_product",
                     *           "productId": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "metadata": null
                     *         }
                     *       ],
                     *       "subtotal": {
                     *         "value": "59.99",
                     *         "currency": "EUR"
                     *       },
                     *       "taxSummary": [
                     *         {
                     *           "taxRate": {
                     *             "name": "VAT",
                     *             "percentage": 19,
                     *             "taxablePercentage": 100
                     *           },
                     *           "amount": {
                     *             "value": "11.40",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "total": {
                     *         "value": "71.39",
                     *         "currency": "EUR"
                     *       },
                     *       "recurring": [
                     *         {
                     *           "subscriptionPlanId": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "quantity": 3,
                     *           "interval": "month",
                     *           "intervalCount": 1,
                     *           "firstChargeAt": "2027-01-04T09:00:00Z",
                     *           "subtotal": {
                     *             "value": "30.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxSummary": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 19,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "5.70",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "total": {
                     *             "value": "35.70",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CheckoutPreview"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of results on a page.
                 * @example 2
                 */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /** @description Only the customers with this email address. */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "resource": "customer",
                     *           "testmode": true,
                     *           "email": "ada@example.com",
                     *           "name": "Ada Lovelace",
                     *           "createdAt": "2027-01-04T09:00:00Z",
                     *           "metadata": {
                     *             "crmId": "A-1042",
                     *             "seats": 3
                     *           },
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/customers?limit=2",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["Customer"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Ada",
                 *       "metadata": {
                 *         "crmId": "A-1042",
                 *         "seats": 3
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The email address. The service stores it in canonical form. */
                    email: string;
                    /** @description The display name. Invoices do not show this name. Null clears it. */
                    name?: string | null;
                    /** @description Key-value pairs for the merchant's use. Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500 characters. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "resource": "customer",
                     *       "testmode": true,
                     *       "email": "ada@example.com",
                     *       "name": "Ada",
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "metadata": {
                     *         "crmId": "A-1042",
                     *         "seats": 3
                     *       },
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `customer_`.
                 * @example customer_P4ur2GNl80NHXh6ea5XxqA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "resource": "customer",
                     *       "testmode": true,
                     *       "email": "ada@example.com",
                     *       "name": "Ada",
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "metadata": {
                     *         "crmId": "A-1042",
                     *         "seats": 3
                     *       },
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `customer_`.
                 * @example customer_P4ur2GNl80NHXh6ea5XxqA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace"
                 *     }
                 */
                "application/json": {
                    /** @description The display name. Invoices do not show this name. Null clears it. */
                    name?: string | null;
                    /** @description The new email address. It must not belong to another customer of the storefront and mode. */
                    email?: string;
                    /** @description Replaces the metadata. Null clears the metadata. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "resource": "customer",
                     *       "testmode": true,
                     *       "email": "ada@example.com",
                     *       "name": "Ada Lovelace",
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "metadata": {
                     *         "crmId": "A-1042",
                     *         "seats": 3
                     *       },
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    createPortalSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `customer_`.
                 * @example customer_P4ur2GNl80NHXh6ea5XxqA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "returnUrl": "https://shop.example/account"
                 *     }
                 */
                "application/json": {
                    /** @description The page to which the portal links back. An absolute https URL, or null. */
                    returnUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://pay.example/portal/link/SgWOXPgaq9eN6d5hHkMq4m9BA5NRbdcBe7YSCX1GjicN",
                     *       "expiresAt": "2027-01-04T09:15:00Z",
                     *       "returnUrl": "https://shop.example/account"
                     *     }
                     */
                    "application/json": components["schemas"]["PortalSession"];
                };
            };
        };
    };
    listCustomerSubscriptions: {
        parameters: {
            query?: {
                /** @description The maximum number of results on a page. */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /** @description Only the subscriptions that are on this plan now. */
                subscriptionPlanId?: string;
                /** @description Only the subscriptions with this status. */
                status?: "created" | "trial" | "active" | "canceled" | "on_grace_period" | "paused";
            };
            header?: never;
            path: {
                /**
                 * @description An id that begins with `customer_`.
                 * @example customer_P4ur2GNl80NHXh6ea5XxqA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *           "resource": "subscription",
                     *           "testmode": true,
                     *           "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "subscriptionPlanId": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "name": "Team",
                     *           "description": "With a better description",
                     *           "billingAddress": {
                     *             "fullName": "Ada",
                     *             "companyName": null,
                     *             "taxId": null,
                     *             "streetAndNumber": null,
                     *             "streetAdditional": null,
                     *             "city": null,
                     *             "region": null,
                     *             "postalCode": null,
                     *             "country": "NL"
                     *           },
                     *           "basePrice": {
                     *             "value": "10.00",
                     *             "currency": "EUR"
                     *           },
                     *           "quantity": 3,
                     *           "interval": "month",
                     *           "intervalCount": 1,
                     *           "status": "active",
                     *           "cancellationReason": null,
                     *           "cancellationFeedback": null,
                     *           "mandate": {
                     *             "method": "card",
                     *             "maskedIdentifier": "4242"
                     *           },
                     *           "startedAt": "2027-01-04T09:00:00Z",
                     *           "endedAt": null,
                     *           "canceledAt": null,
                     *           "renewedAt": null,
                     *           "renewedUntil": "2027-02-04T09:00:00Z",
                     *           "paidUntil": "2027-02-04T09:00:00Z",
                     *           "nextRenewalAt": "2027-02-04T09:00:00Z",
                     *           "trialUntil": null,
                     *           "metadata": null,
                     *           "scheduledUpdate": null,
                     *           "recovery": null,
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/subscriptions/subscription_t61ueaDUREELy8SU7L4m0v",
                     *               "type": "application/json"
                     *             },
                     *             "customer": {
                     *               "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA/subscriptions",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["Subscription"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    getCustomerSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `customer_`.
                 * @example customer_P4ur2GNl80NHXh6ea5XxqA
                 */
                id: string;
                /**
                 * @description An id that begins with `subscription_`.
                 * @example subscription_t61ueaDUREELy8SU7L4m0v
                 */
                subscriptionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *       "resource": "subscription",
                     *       "testmode": true,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "subscriptionPlanId": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *       "name": "Team",
                     *       "description": "With a better description",
                     *       "billingAddress": {
                     *         "fullName": "Ada",
                     *         "companyName": null,
                     *         "taxId": null,
                     *         "streetAndNumber": null,
                     *         "streetAdditional": null,
                     *         "city": null,
                     *         "region": null,
                     *         "postalCode": null,
                     *         "country": "NL"
                     *       },
                     *       "basePrice": {
                     *         "value": "10.00",
                     *         "currency": "EUR"
                     *       },
                     *       "quantity": 3,
                     *       "interval": "month",
                     *       "intervalCount": 1,
                     *       "status": "active",
                     *       "cancellationReason": null,
                     *       "cancellationFeedback": null,
                     *       "mandate": {
                     *         "method": "card",
                     *         "maskedIdentifier": "4242"
                     *       },
                     *       "startedAt": "2027-01-04T09:00:00Z",
                     *       "endedAt": null,
                     *       "canceledAt": null,
                     *       "renewedAt": null,
                     *       "renewedUntil": "2027-02-04T09:00:00Z",
                     *       "paidUntil": "2027-02-04T09:00:00Z",
                     *       "nextRenewalAt": "2027-02-04T09:00:00Z",
                     *       "trialUntil": null,
                     *       "metadata": null,
                     *       "scheduledUpdate": null,
                     *       "recovery": null,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscriptions/subscription_t61ueaDUREELy8SU7L4m0v",
                     *           "type": "application/json"
                     *         },
                     *         "customer": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    listOneOffProducts: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of results on a page.
                 * @example 2
                 */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /** @description Whether the list includes archived items. */
                includeArchived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "resource": "one_off_product",
                     *           "testmode": true,
                     *           "name": "Handbook",
                     *           "description": "As an e-book",
                     *           "basePrice": {
                     *             "value": "29.99",
                     *             "currency": "EUR"
                     *           },
                     *           "taxBehavior": "exclusive",
                     *           "productType": "ebook",
                     *           "status": "active",
                     *           "archivedAt": null,
                     *           "pendingUpdates": null,
                     *           "updateStatus": null,
                     *           "createdAt": "2027-01-04T09:00:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/one-off-products/one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/one-off-products?limit=2",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["OneOffProduct"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    createOneOffProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Handbook",
                 *       "description": "As an e-book",
                 *       "basePrice": {
                 *         "value": "29.99",
                 *         "currency": "EUR"
                 *       },
                 *       "productType": "ebook"
                 *     }
                 */
                "application/json": {
                    /** @description The name that buyers see. */
                    name: string;
                    /** @description The description that buyers see. */
                    description: string;
                    /** @description The price in EUR, with or without tax according to `taxBehavior`. */
                    basePrice: {
                        /**
                         * @description A decimal string with exactly two decimals, from 0.00 to 999999.99.
                         * @example 10.00
                         */
                        value: string;
                        /**
                         * @description An ISO 4217 code.
                         * @constant
                         */
                        currency: "EUR";
                    };
                    /**
                     * @description `exclusive`: tax is added to the price. `inclusive`: the price includes tax. Cannot be changed later.
                     * @default exclusive
                     * @enum {string}
                     */
                    taxBehavior?: "exclusive" | "inclusive";
                    /**
                     * @description The type of the product: software as a service or an e-book.
                     * @enum {string}
                     */
                    productType: "saas" | "ebook";
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *       "resource": "one_off_product",
                     *       "testmode": true,
                     *       "name": "Handbook",
                     *       "description": "As an e-book",
                     *       "basePrice": {
                     *         "value": "29.99",
                     *         "currency": "EUR"
                     *       },
                     *       "taxBehavior": "exclusive",
                     *       "productType": "ebook",
                     *       "status": "active",
                     *       "archivedAt": null,
                     *       "pendingUpdates": null,
                     *       "updateStatus": null,
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/one-off-products/one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OneOffProduct"];
                };
            };
        };
    };
    getOneOffProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `one_off_product_`.
                 * @example one_off_product_Pra1gDQlDBVKns9UmEsbld
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *       "resource": "one_off_product",
                     *       "testmode": true,
                     *       "name": "Handbook",
                     *       "description": "As an e-book",
                     *       "basePrice": {
                     *         "value": "29.99",
                     *         "currency": "EUR"
                     *       },
                     *       "taxBehavior": "exclusive",
                     *       "productType": "ebook",
                     *       "status": "active",
                     *       "archivedAt": null,
                     *       "pendingUpdates": null,
                     *       "updateStatus": null,
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/one-off-products/one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OneOffProduct"];
                };
            };
        };
    };
    updateOneOffProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `one_off_product_`.
                 * @example one_off_product_Pra1gDQlDBVKns9UmEsbld
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Updated"
                 *     }
                 */
                "application/json": {
                    /** @description The new name. */
                    name?: string;
                    /** @description The new description. */
                    description?: string;
                    /** @description The new price in EUR. */
                    basePrice?: {
                        /**
                         * @description A decimal string with exactly two decimals, from 0.00 to 999999.99.
                         * @example 10.00
                         */
                        value: string;
                        /**
                         * @description An ISO 4217 code.
                         * @constant
                         */
                        currency: "EUR";
                    };
                    /**
                     * @description The type of the product: software as a service or an e-book.
                     * @enum {string}
                     */
                    productType?: "saas" | "ebook";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *       "resource": "one_off_product",
                     *       "testmode": true,
                     *       "name": "Handbook",
                     *       "description": "As an e-book",
                     *       "basePrice": {
                     *         "value": "29.99",
                     *         "currency": "EUR"
                     *       },
                     *       "taxBehavior": "exclusive",
                     *       "productType": "ebook",
                     *       "status": "active",
                     *       "archivedAt": null,
                     *       "pendingUpdates": {
                     *         "description": "Updated"
                     *       },
                     *       "updateStatus": "pending",
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/one-off-products/one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OneOffProduct"];
                };
            };
        };
    };
    archiveOneOffProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `one_off_product_`.
                 * @example one_off_product_Pra1gDQlDBVKns9UmEsbld
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unarchiveOneOffProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `one_off_product_`.
                 * @example one_off_product_Pra1gDQlDBVKns9UmEsbld
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *       "resource": "one_off_product",
                     *       "testmode": true,
                     *       "name": "Handbook",
                     *       "description": "As an e-book",
                     *       "basePrice": {
                     *         "value": "29.99",
                     *         "currency": "EUR"
                     *       },
                     *       "taxBehavior": "exclusive",
                     *       "productType": "ebook",
                     *       "status": "active",
                     *       "archivedAt": null,
                     *       "pendingUpdates": {
                     *         "description": "With a better description"
                     *       },
                     *       "updateStatus": "pending",
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/one-off-products/one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OneOffProduct"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description The maximum number of results on a page. */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /**
                 * @description Only the orders and credit notes of this customer.
                 * @example customer_P4ur2GNl80NHXh6ea5XxqA
                 */
                customerId?: string;
                /** @description Only the orders of this subscription: its sale, renewals, changes, verifications, and credit notes. */
                subscriptionId?: string;
                /** @description Only the orders with this status. */
                status?: "created" | "pending" | "paid" | "canceled" | "expired";
                /** @description Only resources that were created at or after this time. */
                createdAfter?: string;
                /** @description Only resources that were created before this time. */
                createdBefore?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "order_3lZhwwu1c49G9Xng964qvq",
                     *           "resource": "order",
                     *           "testmode": true,
                     *           "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "metadata": {
                     *             "cart": "c-77"
                     *           },
                     *           "paymentMethod": "creditcard",
                     *           "status": "paid",
                     *           "paymentFailure": null,
                     *           "invoiceNumber": "TEST-INV-2027-000001",
                     *           "creditedOrderId": null,
                     *           "replacesOrderId": null,
                     *           "total": {
                     *             "value": "72.59",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "59.99",
                     *             "currency": "EUR"
                     *           },
                     *           "reversedSubtotal": {
                     *             "value": "0.00",
                     *             "currency": "EUR"
                     *           },
                     *           "refundableSubtotal": {
                     *             "value": "59.99",
                     *             "currency": "EUR"
                     *           },
                     *           "taxSummary": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "12.60",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "lines": [
                     *             {
                     *               "id": "order_item_yCwCJOLolOTCDU6ZYc5QlW",
                     *               "resource": "orderline",
                     *               "description": "Team",
                     *               "quantity": 3,
                     *               "basePrice": {
                     *                 "value": "10.00",
                     *                 "currency": "EUR"
                     *               },
                     *               "total": {
                     *                 "value": "36.30",
                     *                 "currency": "EUR"
                     *               },
                     *               "subtotal": {
                     *                 "value": "30.00",
                     *                 "currency": "EUR"
                     *               },
                     *               "taxes": [
                     *                 {
                     *                   "taxRate": {
                     *                     "name": "VAT",
                     *                     "percentage": 21,
                     *                     "taxablePercentage": 100
                     *                   },
                     *                   "amount": {
                     *                     "value": "6.30",
                     *                     "currency": "EUR"
                     *                   }
                     *                 }
                     *               ],
                     *               "productType": "subscription",
                     *               "productId": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *               "metadata": null,
                     *               "links": {
                     *                 "order": {
                     *                   "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *                   "type": "application/json"
                     *                 },
                     *                 "product": {
                     *                   "href": "https://pay.example/v1/subscriptions/subscription_t61ueaDUREELy8SU7L4m0v",
                     *                   "type": "application/json"
                     *                 }
                     *               }
                     *             },
                     *             {
                     *               "id": "order_item_QD4vpgLNF28IL8T6ky1JXO",
                     *               "resource": "orderline",
                     *               "description": "Handbook",
                     *               "quantity": 1,
                     *               "basePrice": {
                     *                 "value": "29.99",
                     *                 "currency": "EUR"
                     *               },
                     *               "total": {
                     *                 "value": "36.29",
                     *                 "currency": "EUR"
                     *               },
                     *               "subtotal": {
                     *                 "value": "29.99",
                     *                 "currency": "EUR"
                     *               },
                     *               "taxes": [
                     *                 {
                     *                   "taxRate": {
                     *                     "name": "VAT",
                     *                     "percentage": 21,
                     *                     "taxablePercentage": 100
                     *                   },
                     *                   "amount": {
                     *                     "value": "6.30",
                     *                     "currency": "EUR"
                     *                   }
                     *                 }
                     *               ],
                     *               "productType": "one_off_product",
                     *               "productId": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *               "metadata": null,
                     *               "links": {
                     *                 "order": {
                     *                   "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *                   "type": "application/json"
                     *                 },
                     *                 "product": {
                     *                   "href": "https://pay.example/v1/one-off-products/one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *                   "type": "application/json"
                     *                 }
                     *               }
                     *             }
                     *           ],
                     *           "customerDetails": {
                     *             "fullName": "Ada",
                     *             "companyName": null,
                     *             "taxId": null,
                     *             "streetAndNumber": null,
                     *             "streetAdditional": null,
                     *             "city": null,
                     *             "region": null,
                     *             "postalCode": null,
                     *             "country": "NL",
                     *             "email": "ada@example.com"
                     *           },
                     *           "createdAt": "2027-01-04T09:00:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *               "type": "application/json"
                     *             },
                     *             "customer": {
                     *               "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *               "type": "application/json"
                     *             },
                     *             "customerInvoice": {
                     *               "href": "https://pay.example/invoices/DtDnKV7kVCjBcVt9m3gRcXbCe2TvGg4gSfHz5Cn4yYFA",
                     *               "type": "text/html"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/orders?customerId=customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["Order"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_3lZhwwu1c49G9Xng964qvq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "order_3lZhwwu1c49G9Xng964qvq",
                     *       "resource": "order",
                     *       "testmode": true,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "metadata": {
                     *         "cart": "c-77"
                     *       },
                     *       "paymentMethod": "creditcard",
                     *       "status": "paid",
                     *       "paymentFailure": null,
                     *       "invoiceNumber": "TEST-INV-2027-000001",
                     *       "creditedOrderId": null,
                     *       "replacesOrderId": null,
                     *       "total": {
                     *         "value": "72.59",
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "value": "59.99",
                     *         "currency": "EUR"
                     *       },
                     *       "reversedSubtotal": {
                     *         "value": "0.00",
                     *         "currency": "EUR"
                     *       },
                     *       "refundableSubtotal": {
                     *         "value": "59.99",
                     *         "currency": "EUR"
                     *       },
                     *       "taxSummary": [
                     *         {
                     *           "taxRate": {
                     *             "name": "VAT",
                     *             "percentage": 21,
                     *             "taxablePercentage": 100
                     *           },
                     *           "amount": {
                     *             "value": "12.60",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "id": "order_item_yCwCJOLolOTCDU6ZYc5QlW",
                     *           "resource": "orderline",
                     *           "description": "Team",
                     *           "quantity": 3,
                     *           "basePrice": {
                     *             "value": "10.00",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "36.30",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "30.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "6.30",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "productType": "subscription",
                     *           "productId": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *           "metadata": null,
                     *           "links": {
                     *             "order": {
                     *               "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *               "type": "application/json"
                     *             },
                     *             "product": {
                     *               "href": "https://pay.example/v1/subscriptions/subscription_t61ueaDUREELy8SU7L4m0v",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "id": "order_item_QD4vpgLNF28IL8T6ky1JXO",
                     *           "resource": "orderline",
                     *           "description": "Handbook",
                     *           "quantity": 1,
                     *           "basePrice": {
                     *             "value": "29.99",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "36.29",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "29.99",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "6.30",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "productType": "one_off_product",
                     *           "productId": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "metadata": null,
                     *           "links": {
                     *             "order": {
                     *               "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *               "type": "application/json"
                     *             },
                     *             "product": {
                     *               "href": "https://pay.example/v1/one-off-products/one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "customerDetails": {
                     *         "fullName": "Ada",
                     *         "companyName": null,
                     *         "taxId": null,
                     *         "streetAndNumber": null,
                     *         "streetAdditional": null,
                     *         "city": null,
                     *         "region": null,
                     *         "postalCode": null,
                     *         "country": "NL",
                     *         "email": "ada@example.com"
                     *       },
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *           "type": "application/json"
                     *         },
                     *         "customer": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         },
                     *         "customerInvoice": {
                     *           "href": "https://pay.example/invoices/DtDnKV7kVCjBcVt9m3gRcXbCe2TvGg4gSfHz5Cn4yYFA",
                     *           "type": "text/html"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    listOrderChargebacks: {
        parameters: {
            query?: {
                /** @description The maximum number of results on a page. */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /** @description Only the chargebacks of this customer. */
                customerId?: string;
                /** @description Only the chargebacks with this status. */
                status?: "pending" | "requires_amount_review" | "accepted" | "rejected" | "evidence_submitted" | "won" | "lost";
            };
            header?: never;
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_3lZhwwu1c49G9Xng964qvq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "chargeback_hab0S94LaYc58tm8a1s2Bb",
                     *           "resource": "chargeback",
                     *           "testmode": true,
                     *           "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "status": "pending",
                     *           "amount": {
                     *             "value": "3.00",
                     *             "currency": "EUR"
                     *           },
                     *           "settlementAmount": {
                     *             "value": "18.00",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "3.00",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "2.48",
                     *             "currency": "EUR"
                     *           },
                     *           "taxSummary": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "0.52",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "reason": "product_not_received",
                     *           "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *           "orderId": null,
                     *           "createdAt": "2027-03-21T09:02:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/chargebacks/chargeback_hab0S94LaYc58tm8a1s2Bb",
                     *               "type": "application/json"
                     *             },
                     *             "originalOrder": {
                     *               "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *               "type": "application/json"
                     *             },
                     *             "order": null
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq/chargebacks",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["Chargeback"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    getOrderChargeback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_3lZhwwu1c49G9Xng964qvq
                 */
                id: string;
                /**
                 * @description An id that begins with `chargeback_`.
                 * @example chargeback_hab0S94LaYc58tm8a1s2Bb
                 */
                chargebackId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chargeback_hab0S94LaYc58tm8a1s2Bb",
                     *       "resource": "chargeback",
                     *       "testmode": true,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "status": "pending",
                     *       "amount": {
                     *         "value": "3.00",
                     *         "currency": "EUR"
                     *       },
                     *       "settlementAmount": {
                     *         "value": "18.00",
                     *         "currency": "EUR"
                     *       },
                     *       "total": {
                     *         "value": "3.00",
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "value": "2.48",
                     *         "currency": "EUR"
                     *       },
                     *       "taxSummary": [
                     *         {
                     *           "taxRate": {
                     *             "name": "VAT",
                     *             "percentage": 21,
                     *             "taxablePercentage": 100
                     *           },
                     *           "amount": {
                     *             "value": "0.52",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "reason": "product_not_received",
                     *       "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *       "orderId": null,
                     *       "createdAt": "2027-03-21T09:02:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/chargebacks/chargeback_hab0S94LaYc58tm8a1s2Bb",
                     *           "type": "application/json"
                     *         },
                     *         "originalOrder": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *           "type": "application/json"
                     *         },
                     *         "order": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Chargeback"];
                };
            };
        };
    };
    createInvoiceUpdateLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_3lZhwwu1c49G9Xng964qvq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "href": "https://pay.example/invoice-update/4F40i3omQWT5LJkzK72obCZyJo7A1yE0LdifZ8j6kstq",
                     *       "type": "text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    cancelRecovery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_UHf7Y095ESv6txepznicYZ
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOrderRefunds: {
        parameters: {
            query?: {
                /** @description The maximum number of results on a page. */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /** @description Only the refunds of this customer. */
                customerId?: string;
                /** @description Only the refunds with this status. */
                status?: "pending" | "queued" | "processing" | "refunded" | "failed" | "canceled";
            };
            header?: never;
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_3lZhwwu1c49G9Xng964qvq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "refund_udh0vq0uA2hzMPkgJqTK3M",
                     *           "resource": "refund",
                     *           "testmode": true,
                     *           "orderId": null,
                     *           "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "status": "pending",
                     *           "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *           "total": {
                     *             "value": "6.05",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "5.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxSummary": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "1.05",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "lines": [
                     *             {
                     *               "id": "refund_item_b8j8hId8SoC1GQz3L6kEGO",
                     *               "resource": "refundline",
                     *               "description": "Goodwill",
                     *               "quantity": 1,
                     *               "basePrice": {
                     *                 "value": "5.00",
                     *                 "currency": "EUR"
                     *               },
                     *               "total": {
                     *                 "value": "6.05",
                     *                 "currency": "EUR"
                     *               },
                     *               "subtotal": {
                     *                 "value": "5.00",
                     *                 "currency": "EUR"
                     *               },
                     *               "taxes": [
                     *                 {
                     *                   "taxRate": {
                     *                     "name": "VAT",
                     *                     "percentage": 21,
                     *                     "taxablePercentage": 100
                     *                   },
                     *                   "amount": {
                     *                     "value": "1.05",
                     *                     "currency": "EUR"
                     *                   }
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "createdAt": "2027-03-21T09:00:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/refunds/refund_udh0vq0uA2hzMPkgJqTK3M",
                     *               "type": "application/json"
                     *             },
                     *             "originalOrder": {
                     *               "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *               "type": "application/json"
                     *             },
                     *             "order": null
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq/refunds",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["Refund"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_3lZhwwu1c49G9Xng964qvq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "itemId": "order_item_yCwCJOLolOTCDU6ZYc5QlW",
                 *           "amount": {
                 *             "value": "5.00",
                 *             "currency": "EUR"
                 *           },
                 *           "description": "Goodwill"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The lines to refund, with their amounts. */
                    items: {
                        /** @description The id of an order line. */
                        itemId: string;
                        /** @description The amount before tax, in the currency of the order. */
                        amount: {
                            /**
                             * @description A decimal string with exactly two decimals, from 0.01 to 99999999.99.
                             * @example 10.00
                             */
                            value: string;
                            /**
                             * @description An ISO 4217 code.
                             * @enum {string}
                             */
                            currency: "EUR" | "USD" | "GBP" | "CHF" | "SEK" | "NOK" | "DKK" | "PLN" | "CAD";
                        };
                        /** @description The description of the refund line, instead of the description of the order line. */
                        description?: string | null;
                        /** @description A second line of the description. */
                        descriptionAdditionalLine?: string | null;
                    }[];
                    /** @description Key-value pairs for the merchant's use. Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500 characters. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "refund_udh0vq0uA2hzMPkgJqTK3M",
                     *       "resource": "refund",
                     *       "testmode": true,
                     *       "orderId": null,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "status": "pending",
                     *       "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *       "total": {
                     *         "value": "6.05",
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "value": "5.00",
                     *         "currency": "EUR"
                     *       },
                     *       "taxSummary": [
                     *         {
                     *           "taxRate": {
                     *             "name": "VAT",
                     *             "percentage": 21,
                     *             "taxablePercentage": 100
                     *           },
                     *           "amount": {
                     *             "value": "1.05",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "id": "refund_item_b8j8hId8SoC1GQz3L6kEGO",
                     *           "resource": "refundline",
                     *           "description": "Goodwill",
                     *           "quantity": 1,
                     *           "basePrice": {
                     *             "value": "5.00",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "6.05",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "5.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "1.05",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "createdAt": "2027-03-21T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/refunds/refund_udh0vq0uA2hzMPkgJqTK3M",
                     *           "type": "application/json"
                     *         },
                     *         "originalOrder": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *           "type": "application/json"
                     *         },
                     *         "order": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    getOrderRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_3lZhwwu1c49G9Xng964qvq
                 */
                id: string;
                /**
                 * @description An id that begins with `refund_`.
                 * @example refund_udh0vq0uA2hzMPkgJqTK3M
                 */
                refundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "refund_udh0vq0uA2hzMPkgJqTK3M",
                     *       "resource": "refund",
                     *       "testmode": true,
                     *       "orderId": null,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "status": "pending",
                     *       "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *       "total": {
                     *         "value": "6.05",
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "value": "5.00",
                     *         "currency": "EUR"
                     *       },
                     *       "taxSummary": [
                     *         {
                     *           "taxRate": {
                     *             "name": "VAT",
                     *             "percentage": 21,
                     *             "taxablePercentage": 100
                     *           },
                     *           "amount": {
                     *             "value": "1.05",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "id": "refund_item_b8j8hId8SoC1GQz3L6kEGO",
                     *           "resource": "refundline",
                     *           "description": "Goodwill",
                     *           "quantity": 1,
                     *           "basePrice": {
                     *             "value": "5.00",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "6.05",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "5.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "1.05",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "createdAt": "2027-03-21T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/refunds/refund_udh0vq0uA2hzMPkgJqTK3M",
                     *           "type": "application/json"
                     *         },
                     *         "originalOrder": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *           "type": "application/json"
                     *         },
                     *         "order": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_3lZhwwu1c49G9Xng964qvq
                 */
                id: string;
                /**
                 * @description An id that begins with `refund_`.
                 * @example refund_udh0vq0uA2hzMPkgJqTK3M
                 */
                refundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createFullRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_3lZhwwu1c49G9Xng964qvq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "metadata": {
                 *         "ticket": "T-2041"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Key-value pairs for the merchant's use. Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500 characters. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "refund_Z5KHT3JmodSVGGRpKTTxv6",
                     *       "resource": "refund",
                     *       "testmode": true,
                     *       "orderId": null,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "status": "pending",
                     *       "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *       "total": {
                     *         "value": "72.59",
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "value": "59.99",
                     *         "currency": "EUR"
                     *       },
                     *       "taxSummary": [
                     *         {
                     *           "taxRate": {
                     *             "name": "VAT",
                     *             "percentage": 21,
                     *             "taxablePercentage": 100
                     *           },
                     *           "amount": {
                     *             "value": "12.60",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "id": "refund_item_LxhusGXAYSqk8iiFjUxX0r",
                     *           "resource": "refundline",
                     *           "description": "Team (Full refund)",
                     *           "quantity": 3,
                     *           "basePrice": {
                     *             "value": "10.00",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "36.30",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "30.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "6.30",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "id": "refund_item_gAKIZRaDI7REzouy9X7Ay8",
                     *           "resource": "refundline",
                     *           "description": "Handbook (Full refund)",
                     *           "quantity": 1,
                     *           "basePrice": {
                     *             "value": "29.99",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "36.29",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "29.99",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "6.30",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "createdAt": "2027-03-21T09:02:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/refunds/refund_Z5KHT3JmodSVGGRpKTTxv6",
                     *           "type": "application/json"
                     *         },
                     *         "originalOrder": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *           "type": "application/json"
                     *         },
                     *         "order": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description The maximum number of results on a page. */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /**
                 * @description Only active payment links (`true`), or only inactive payment links (`false`).
                 * @example true
                 */
                active?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "payment_link_niI784gpu0PaktmqLjbIAj",
                     *           "resource": "payment_link",
                     *           "testmode": true,
                     *           "name": "Newsletter, January",
                     *           "url": "https://pay.example/buy/0oaKLTatRoIWbf1GOrJSyY",
                     *           "active": true,
                     *           "items": [
                     *             {
                     *               "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *               "quantity": 3,
                     *               "minQuantity": 1,
                     *               "maxQuantity": 20,
                     *               "price": null,
                     *               "trialDays": 14,
                     *               "metadata": null
                     *             },
                     *             {
                     *               "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *               "quantity": 1,
                     *               "minQuantity": null,
                     *               "maxQuantity": null,
                     *               "price": null,
                     *               "trialDays": null,
                     *               "metadata": null
                     *             }
                     *           ],
                     *           "redirectUrlSuccess": "https://shop.example/thanks?checkout={CHECKOUT_ID}",
                     *           "locale": null,
                     *           "metadata": {
                     *             "campaign": "january"
                     *           },
                     *           "createdAt": "2027-01-04T09:00:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/payment-links/payment_link_niI784gpu0PaktmqLjbIAj",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/payment-links?active=true",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["PaymentLink"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Newsletter, January",
                 *       "items": [
                 *         {
                 *           "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                 *           "quantity": 3,
                 *           "minQuantity": 1,
                 *           "maxQuantity": 20,
                 *           "trialDays": 14
                 *         },
                 *         {
                 *           "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                 *           "quantity": 1
                 *         }
                 *       ],
                 *       "redirectUrlSuccess": "https://shop.example/thanks?checkout={CHECKOUT_ID}",
                 *       "metadata": {
                 *         "campaign": "january"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The name that the merchant sees. Buyers do not see it. */
                    name: string;
                    /** @description The products and plans to sell. All must have the same `taxBehavior`. */
                    items: {
                        /** @description A product or plan that is neither archived nor rejected. */
                        id: string;
                        /** @description The number of units. With a quantity range, the number that the form shows at first. */
                        quantity?: number;
                        /** @description The price, instead of the price of the product. For a plan, also the price of every renewal. */
                        price?: {
                            /**
                             * @description A decimal string with exactly two decimals, from 0.00 to 999999.99.
                             * @example 10.00
                             */
                            value: string;
                            /**
                             * @description An ISO 4217 code.
                             * @constant
                             */
                            currency: "EUR";
                        } | null;
                        /** @description The length of the trial in days, from the payment. Only for plans. */
                        trialDays?: number | null;
                        /** @description Key-value pairs for the merchant's use. Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500 characters. */
                        metadata?: {
                            [key: string]: string | number | boolean;
                        } | null;
                        /** @description The minimum quantity that the buyer can choose. */
                        minQuantity?: number | null;
                        /** @description The maximum quantity that the buyer can choose. */
                        maxQuantity?: number | null;
                    }[];
                    /** @description The page that the buyer sees after the payment. An absolute http or https URL. `{CHECKOUT_ID}` is replaced by the id of the checkout. If null, the buyer stays on the checkout page. */
                    redirectUrlSuccess?: string | null;
                    /** @description A language, BCP 47 tag or POSIX locale that maps to one of en, de, fr, nl, es, it, pt, pl. If null, the buyer's browser decides. */
                    locale?: string | null;
                    /** @description Key-value pairs for the merchant's use. Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500 characters. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "payment_link_niI784gpu0PaktmqLjbIAj",
                     *       "resource": "payment_link",
                     *       "testmode": true,
                     *       "name": "Newsletter, January",
                     *       "url": "https://pay.example/buy/0oaKLTatRoIWbf1GOrJSyY",
                     *       "active": true,
                     *       "items": [
                     *         {
                     *           "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "quantity": 3,
                     *           "minQuantity": 1,
                     *           "maxQuantity": 20,
                     *           "price": null,
                     *           "trialDays": 14,
                     *           "metadata": null
                     *         },
                     *         {
                     *           "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "quantity": 1,
                     *           "minQuantity": null,
                     *           "maxQuantity": null,
                     *           "price": null,
                     *           "trialDays": null,
                     *           "metadata": null
                     *         }
                     *       ],
                     *       "redirectUrlSuccess": "https://shop.example/thanks?checkout={CHECKOUT_ID}",
                     *       "locale": null,
                     *       "metadata": {
                     *         "campaign": "january"
                     *       },
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/payment-links/payment_link_niI784gpu0PaktmqLjbIAj",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `payment_link_`.
                 * @example payment_link_niI784gpu0PaktmqLjbIAj
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "payment_link_niI784gpu0PaktmqLjbIAj",
                     *       "resource": "payment_link",
                     *       "testmode": true,
                     *       "name": "Newsletter, January",
                     *       "url": "https://pay.example/buy/0oaKLTatRoIWbf1GOrJSyY",
                     *       "active": true,
                     *       "items": [
                     *         {
                     *           "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "quantity": 3,
                     *           "minQuantity": 1,
                     *           "maxQuantity": 20,
                     *           "price": null,
                     *           "trialDays": 14,
                     *           "metadata": null
                     *         },
                     *         {
                     *           "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "quantity": 1,
                     *           "minQuantity": null,
                     *           "maxQuantity": null,
                     *           "price": null,
                     *           "trialDays": null,
                     *           "metadata": null
                     *         }
                     *       ],
                     *       "redirectUrlSuccess": "https://shop.example/thanks?checkout={CHECKOUT_ID}",
                     *       "locale": null,
                     *       "metadata": {
                     *         "campaign": "january"
                     *       },
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/payment-links/payment_link_niI784gpu0PaktmqLjbIAj",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    updatePaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `payment_link_`.
                 * @example payment_link_niI784gpu0PaktmqLjbIAj
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": {
                    /** @description Whether buyers can buy. */
                    active?: boolean;
                    /** @description The name that the merchant sees. */
                    name?: string;
                    /** @description The page that the buyer sees after the payment. An absolute http or https URL. `{CHECKOUT_ID}` is replaced by the id of the checkout. If null, the buyer stays on the checkout page. */
                    redirectUrlSuccess?: string | null;
                    /** @description Key-value pairs for the merchant's use. Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500 characters. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "payment_link_niI784gpu0PaktmqLjbIAj",
                     *       "resource": "payment_link",
                     *       "testmode": true,
                     *       "name": "Newsletter, January",
                     *       "url": "https://pay.example/buy/0oaKLTatRoIWbf1GOrJSyY",
                     *       "active": false,
                     *       "items": [
                     *         {
                     *           "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "quantity": 3,
                     *           "minQuantity": 1,
                     *           "maxQuantity": 20,
                     *           "price": null,
                     *           "trialDays": 14,
                     *           "metadata": null
                     *         },
                     *         {
                     *           "id": "one_off_product_Pra1gDQlDBVKns9UmEsbld",
                     *           "quantity": 1,
                     *           "minQuantity": null,
                     *           "maxQuantity": null,
                     *           "price": null,
                     *           "trialDays": null,
                     *           "metadata": null
                     *         }
                     *       ],
                     *       "redirectUrlSuccess": "https://shop.example/thanks?checkout={CHECKOUT_ID}",
                     *       "locale": null,
                     *       "metadata": {
                     *         "campaign": "january"
                     *       },
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/payment-links/payment_link_niI784gpu0PaktmqLjbIAj",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description The maximum number of results on a page. */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /** @description Only the refunds of this customer. */
                customerId?: string;
                /**
                 * @description Only the refunds with this status.
                 * @example pending
                 */
                status?: "pending" | "queued" | "processing" | "refunded" | "failed" | "canceled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "refund_udh0vq0uA2hzMPkgJqTK3M",
                     *           "resource": "refund",
                     *           "testmode": true,
                     *           "orderId": null,
                     *           "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "status": "pending",
                     *           "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *           "total": {
                     *             "value": "6.05",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "5.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxSummary": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "1.05",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "lines": [
                     *             {
                     *               "id": "refund_item_b8j8hId8SoC1GQz3L6kEGO",
                     *               "resource": "refundline",
                     *               "description": "Goodwill",
                     *               "quantity": 1,
                     *               "basePrice": {
                     *                 "value": "5.00",
                     *                 "currency": "EUR"
                     *               },
                     *               "total": {
                     *                 "value": "6.05",
                     *                 "currency": "EUR"
                     *               },
                     *               "subtotal": {
                     *                 "value": "5.00",
                     *                 "currency": "EUR"
                     *               },
                     *               "taxes": [
                     *                 {
                     *                   "taxRate": {
                     *                     "name": "VAT",
                     *                     "percentage": 21,
                     *                     "taxablePercentage": 100
                     *                   },
                     *                   "amount": {
                     *                     "value": "1.05",
                     *                     "currency": "EUR"
                     *                   }
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "createdAt": "2027-03-21T09:00:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/refunds/refund_udh0vq0uA2hzMPkgJqTK3M",
                     *               "type": "application/json"
                     *             },
                     *             "originalOrder": {
                     *               "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *               "type": "application/json"
                     *             },
                     *             "order": null
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/refunds?status=pending",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["Refund"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `refund_`.
                 * @example refund_udh0vq0uA2hzMPkgJqTK3M
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "refund_udh0vq0uA2hzMPkgJqTK3M",
                     *       "resource": "refund",
                     *       "testmode": true,
                     *       "orderId": null,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "status": "pending",
                     *       "originalOrderId": "order_3lZhwwu1c49G9Xng964qvq",
                     *       "total": {
                     *         "value": "6.05",
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "value": "5.00",
                     *         "currency": "EUR"
                     *       },
                     *       "taxSummary": [
                     *         {
                     *           "taxRate": {
                     *             "name": "VAT",
                     *             "percentage": 21,
                     *             "taxablePercentage": 100
                     *           },
                     *           "amount": {
                     *             "value": "1.05",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "id": "refund_item_b8j8hId8SoC1GQz3L6kEGO",
                     *           "resource": "refundline",
                     *           "description": "Goodwill",
                     *           "quantity": 1,
                     *           "basePrice": {
                     *             "value": "5.00",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "6.05",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "5.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "1.05",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "createdAt": "2027-03-21T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/refunds/refund_udh0vq0uA2hzMPkgJqTK3M",
                     *           "type": "application/json"
                     *         },
                     *         "originalOrder": {
                     *           "href": "https://pay.example/v1/orders/order_3lZhwwu1c49G9Xng964qvq",
                     *           "type": "application/json"
                     *         },
                     *         "order": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    listSubscriptionPlans: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of results on a page.
                 * @example 2
                 */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /** @description Whether the list includes archived items. */
                includeArchived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "subscription_plan_d6tPF0ePRrcAVVngrrfEdY",
                     *           "resource": "subscription_plan",
                     *           "testmode": true,
                     *           "name": "Business",
                     *           "description": "For teams, per seat",
                     *           "basePrice": {
                     *             "value": "25.00",
                     *             "currency": "EUR"
                     *           },
                     *           "interval": "month",
                     *           "intervalCount": 1,
                     *           "taxBehavior": "exclusive",
                     *           "productType": "saas",
                     *           "status": "active",
                     *           "archivedAt": null,
                     *           "pendingUpdates": null,
                     *           "updateStatus": null,
                     *           "createdAt": "2027-01-04T09:00:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/subscription-plans/subscription_plan_d6tPF0ePRrcAVVngrrfEdY",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "resource": "subscription_plan",
                     *           "testmode": true,
                     *           "name": "Team",
                     *           "description": "For teams, per seat",
                     *           "basePrice": {
                     *             "value": "10.00",
                     *             "currency": "EUR"
                     *           },
                     *           "interval": "month",
                     *           "intervalCount": 1,
                     *           "taxBehavior": "exclusive",
                     *           "productType": "saas",
                     *           "status": "active",
                     *           "archivedAt": null,
                     *           "pendingUpdates": null,
                     *           "updateStatus": null,
                     *           "createdAt": "2027-01-04T09:00:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/subscription-plans/subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 2,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscription-plans?limit=2",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["SubscriptionPlan"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    createSubscriptionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Team",
                 *       "description": "For teams, per seat",
                 *       "basePrice": {
                 *         "value": "10.00",
                 *         "currency": "EUR"
                 *       },
                 *       "productType": "saas",
                 *       "interval": "month",
                 *       "intervalCount": 1,
                 *       "taxBehavior": "exclusive"
                 *     }
                 */
                "application/json": {
                    /** @description The name that buyers see. */
                    name: string;
                    /** @description The description that buyers see. */
                    description: string;
                    /** @description The price in EUR, with or without tax according to `taxBehavior`. */
                    basePrice: {
                        /**
                         * @description A decimal string with exactly two decimals, from 0.00 to 999999.99.
                         * @example 10.00
                         */
                        value: string;
                        /**
                         * @description An ISO 4217 code.
                         * @constant
                         */
                        currency: "EUR";
                    };
                    /**
                     * @description `exclusive`: tax is added to the price. `inclusive`: the price includes tax. Cannot be changed later.
                     * @default exclusive
                     * @enum {string}
                     */
                    taxBehavior?: "exclusive" | "inclusive";
                    /**
                     * @description Always `saas`.
                     * @constant
                     */
                    productType: "saas";
                    /**
                     * @description The unit of the billing interval. `day` exists in test mode only.
                     * @example month
                     * @enum {string}
                     */
                    interval: "day" | "week" | "month" | "year";
                    /** @description The number of interval units in a billing cycle: at most 365 for `day`, 52 for `week`, 12 for `month`. Ignored for `year`. */
                    intervalCount: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *       "resource": "subscription_plan",
                     *       "testmode": true,
                     *       "name": "Team",
                     *       "description": "For teams, per seat",
                     *       "basePrice": {
                     *         "value": "10.00",
                     *         "currency": "EUR"
                     *       },
                     *       "interval": "month",
                     *       "intervalCount": 1,
                     *       "taxBehavior": "exclusive",
                     *       "productType": "saas",
                     *       "status": "active",
                     *       "archivedAt": null,
                     *       "pendingUpdates": null,
                     *       "updateStatus": null,
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscription-plans/subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriptionPlan"];
                };
            };
        };
    };
    getSubscriptionPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `subscription_plan_`.
                 * @example subscription_plan_RfEwE7QN3oX14T1dgwAOcY
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *       "resource": "subscription_plan",
                     *       "testmode": true,
                     *       "name": "Team",
                     *       "description": "For teams, per seat",
                     *       "basePrice": {
                     *         "value": "10.00",
                     *         "currency": "EUR"
                     *       },
                     *       "interval": "month",
                     *       "intervalCount": 1,
                     *       "taxBehavior": "exclusive",
                     *       "productType": "saas",
                     *       "status": "active",
                     *       "archivedAt": null,
                     *       "pendingUpdates": null,
                     *       "updateStatus": null,
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscription-plans/subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriptionPlan"];
                };
            };
        };
    };
    updateSubscriptionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `subscription_plan_`.
                 * @example subscription_plan_RfEwE7QN3oX14T1dgwAOcY
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Updated"
                 *     }
                 */
                "application/json": {
                    /** @description The new name. */
                    name?: string;
                    /** @description The new description. */
                    description?: string;
                    /** @description The new price in EUR. */
                    basePrice?: {
                        /**
                         * @description A decimal string with exactly two decimals, from 0.00 to 999999.99.
                         * @example 10.00
                         */
                        value: string;
                        /**
                         * @description An ISO 4217 code.
                         * @constant
                         */
                        currency: "EUR";
                    };
                    /**
                     * @description Always `saas`.
                     * @constant
                     */
                    productType?: "saas";
                    /**
                     * @description The new unit of the billing interval. It cannot be changed once a subscription has used the plan.
                     * @example month
                     * @enum {string}
                     */
                    interval?: "day" | "week" | "month" | "year";
                    /** @description The number of interval units in a billing cycle: at most 365 for `day`, 52 for `week`, 12 for `month`. Ignored for `year`. */
                    intervalCount?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *       "resource": "subscription_plan",
                     *       "testmode": true,
                     *       "name": "Team",
                     *       "description": "For teams, per seat",
                     *       "basePrice": {
                     *         "value": "10.00",
                     *         "currency": "EUR"
                     *       },
                     *       "interval": "month",
                     *       "intervalCount": 1,
                     *       "taxBehavior": "exclusive",
                     *       "productType": "saas",
                     *       "status": "active",
                     *       "archivedAt": null,
                     *       "pendingUpdates": {
                     *         "description": "Updated"
                     *       },
                     *       "updateStatus": "pending",
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscription-plans/subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriptionPlan"];
                };
            };
        };
    };
    archiveSubscriptionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `subscription_plan_`.
                 * @example subscription_plan_RfEwE7QN3oX14T1dgwAOcY
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unarchiveSubscriptionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `subscription_plan_`.
                 * @example subscription_plan_RfEwE7QN3oX14T1dgwAOcY
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *       "resource": "subscription_plan",
                     *       "testmode": true,
                     *       "name": "Team",
                     *       "description": "For teams, per seat",
                     *       "basePrice": {
                     *         "value": "10.00",
                     *         "currency": "EUR"
                     *       },
                     *       "interval": "month",
                     *       "intervalCount": 1,
                     *       "taxBehavior": "exclusive",
                     *       "productType": "saas",
                     *       "status": "active",
                     *       "archivedAt": null,
                     *       "pendingUpdates": {
                     *         "description": "With a better description"
                     *       },
                     *       "updateStatus": "pending",
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscription-plans/subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriptionPlan"];
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description The maximum number of results on a page. */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /**
                 * @description Only the subscriptions of this customer.
                 * @example customer_P4ur2GNl80NHXh6ea5XxqA
                 */
                customerId?: string;
                /** @description Only the subscriptions that are on this plan now. */
                subscriptionPlanId?: string;
                /** @description Only the subscriptions with this status. */
                status?: "created" | "trial" | "active" | "canceled" | "on_grace_period" | "paused";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *           "resource": "subscription",
                     *           "testmode": true,
                     *           "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "subscriptionPlanId": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *           "name": "Team",
                     *           "description": "With a better description",
                     *           "billingAddress": {
                     *             "fullName": "Ada",
                     *             "companyName": null,
                     *             "taxId": null,
                     *             "streetAndNumber": null,
                     *             "streetAdditional": null,
                     *             "city": null,
                     *             "region": null,
                     *             "postalCode": null,
                     *             "country": "NL"
                     *           },
                     *           "basePrice": {
                     *             "value": "10.00",
                     *             "currency": "EUR"
                     *           },
                     *           "quantity": 3,
                     *           "interval": "month",
                     *           "intervalCount": 1,
                     *           "status": "active",
                     *           "cancellationReason": null,
                     *           "cancellationFeedback": null,
                     *           "mandate": {
                     *             "method": "card",
                     *             "maskedIdentifier": "4242"
                     *           },
                     *           "startedAt": "2027-01-04T09:00:00Z",
                     *           "endedAt": null,
                     *           "canceledAt": null,
                     *           "renewedAt": null,
                     *           "renewedUntil": "2027-02-04T09:00:00Z",
                     *           "paidUntil": "2027-02-04T09:00:00Z",
                     *           "nextRenewalAt": "2027-02-04T09:00:00Z",
                     *           "trialUntil": null,
                     *           "metadata": null,
                     *           "scheduledUpdate": null,
                     *           "recovery": null,
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/subscriptions/subscription_t61ueaDUREELy8SU7L4m0v",
                     *               "type": "application/json"
                     *             },
                     *             "customer": {
                     *               "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscriptions?customerId=customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["Subscription"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `subscription_`.
                 * @example subscription_t61ueaDUREELy8SU7L4m0v
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *       "resource": "subscription",
                     *       "testmode": true,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "subscriptionPlanId": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *       "name": "Team",
                     *       "description": "With a better description",
                     *       "billingAddress": {
                     *         "fullName": "Ada",
                     *         "companyName": null,
                     *         "taxId": null,
                     *         "streetAndNumber": null,
                     *         "streetAdditional": null,
                     *         "city": null,
                     *         "region": null,
                     *         "postalCode": null,
                     *         "country": "NL"
                     *       },
                     *       "basePrice": {
                     *         "value": "10.00",
                     *         "currency": "EUR"
                     *       },
                     *       "quantity": 3,
                     *       "interval": "month",
                     *       "intervalCount": 1,
                     *       "status": "active",
                     *       "cancellationReason": null,
                     *       "cancellationFeedback": null,
                     *       "mandate": {
                     *         "method": "card",
                     *         "maskedIdentifier": "4242"
                     *       },
                     *       "startedAt": "2027-01-04T09:00:00Z",
                     *       "endedAt": null,
                     *       "canceledAt": null,
                     *       "renewedAt": null,
                     *       "renewedUntil": "2027-02-04T09:00:00Z",
                     *       "paidUntil": "2027-02-04T09:00:00Z",
                     *       "nextRenewalAt": "2027-02-04T09:00:00Z",
                     *       "trialUntil": null,
                     *       "metadata": null,
                     *       "scheduledUpdate": null,
                     *       "recovery": null,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscriptions/subscription_t61ueaDUREELy8SU7L4m0v",
                     *           "type": "application/json"
                     *         },
                     *         "customer": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    cancelSubscription: {
        parameters: {
            query?: {
                /** @description Whether the subscription ends now. If false, it ends with the paid period. */
                immediately?: boolean;
            };
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `subscription_`.
                 * @example subscription_t61ueaDUREELy8SU7L4m0v
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The same as the query parameter, for clients that send a body. */
                    immediately?: boolean;
                };
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `subscription_`.
                 * @example subscription_t61ueaDUREELy8SU7L4m0v
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "quantity": 5,
                 *       "applyImmediately": true,
                 *       "prorate": true,
                 *       "invoiceImmediately": true,
                 *       "asOf": "2027-01-04T09:00:00Z"
                 *     }
                 */
                "application/json": {
                    /** @description The id of the plan to switch to. The plan must not be archived. */
                    subscriptionPlanId?: string | null;
                    /** @description The new total number of units. */
                    quantity?: number | null;
                    /** @description The new recurring price of one unit, in the subscription's own currency. */
                    price?: {
                        /**
                         * @description A decimal string with exactly two decimals, from 0.00 to 999999.99.
                         * @example 10.00
                         */
                        value: string;
                        /**
                         * @description An ISO 4217 code.
                         * @enum {string}
                         */
                        currency: "EUR" | "USD";
                    } | null;
                    /**
                     * @description Whether unused time is credited, and the remaining time charged at the new price.
                     * @default true
                     */
                    prorate?: boolean;
                    /**
                     * @description Whether the change applies now. If false, it waits in `scheduledUpdate` for the next renewal.
                     * @default false
                     */
                    applyImmediately?: boolean;
                    /**
                     * @description Whether the prorated amount is charged now. If false, the next renewal charges the amount.
                     * @default false
                     */
                    invoiceImmediately?: boolean;
                    /** @description The day (UTC) from which billing periods count: in the future, at most one interval ahead. Cannot be combined with `resetAnchor`. */
                    anchor?: string | null;
                    /**
                     * @description Whether billing periods count from the time of the change. Cannot be combined with `anchor`.
                     * @default false
                     */
                    resetAnchor?: boolean;
                    /** @description The new end of the trial, not before the end of the paid period. It takes effect at once. Cannot be combined with `anchor`. */
                    trialUntil?: string | null;
                    /** @description Replaces the metadata at once, even if the other changes are scheduled. Null clears the metadata. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                    /** @description An addition to the contract. The time for the proration and tax of an immediate change: the `asOf` of a preview. At most one hour old, not in the future, and not before the last change of the subscription. Refused if the amounts of the change are no longer the amounts of the preview. */
                    asOf?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *       "resource": "subscription",
                     *       "testmode": true,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "subscriptionPlanId": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *       "name": "Team",
                     *       "description": "With a better description",
                     *       "billingAddress": {
                     *         "fullName": "Ada",
                     *         "companyName": null,
                     *         "taxId": null,
                     *         "streetAndNumber": null,
                     *         "streetAdditional": null,
                     *         "city": null,
                     *         "region": null,
                     *         "postalCode": null,
                     *         "country": "NL"
                     *       },
                     *       "basePrice": {
                     *         "value": "10.00",
                     *         "currency": "EUR"
                     *       },
                     *       "quantity": 5,
                     *       "interval": "month",
                     *       "intervalCount": 1,
                     *       "status": "active",
                     *       "cancellationReason": null,
                     *       "cancellationFeedback": null,
                     *       "mandate": {
                     *         "method": "card",
                     *         "maskedIdentifier": "4242"
                     *       },
                     *       "startedAt": "2027-01-04T09:00:00Z",
                     *       "endedAt": null,
                     *       "canceledAt": null,
                     *       "renewedAt": null,
                     *       "renewedUntil": "2027-02-04T09:00:00Z",
                     *       "paidUntil": "2027-02-04T09:00:00Z",
                     *       "nextRenewalAt": "2027-02-04T09:00:00Z",
                     *       "trialUntil": null,
                     *       "metadata": null,
                     *       "scheduledUpdate": null,
                     *       "recovery": null,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscriptions/subscription_t61ueaDUREELy8SU7L4m0v",
                     *           "type": "application/json"
                     *         },
                     *         "customer": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    createBillingUpdateLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `subscription_`.
                 * @example subscription_t61ueaDUREELy8SU7L4m0v
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "redirectUrlSuccess": "https://shop.example/ok",
                 *       "redirectUrlCanceled": "https://shop.example/account"
                 *     }
                 */
                "application/json": {
                    /** @description The page that the customer sees after an update. An absolute http or https URL. */
                    redirectUrlSuccess: string;
                    /** @description The page that the customer sees after leaving without an update. An absolute http or https URL. */
                    redirectUrlCanceled: string;
                    /** @description The details that the form shows instead of the stored details. If null or empty, the form shows the stored details. */
                    billingAddress?: {
                        /** @description The buyer's name on invoices. */
                        fullName?: string | null;
                        /** @description The buyer's company. */
                        companyName?: string | null;
                        /** @description The buyer's tax ID, such as an EU VAT ID, without spaces, punctuation and invisible characters. */
                        taxId?: string | null;
                        /** @description The street with its number. */
                        streetAndNumber?: string | null;
                        /** @description A second line of the street. */
                        streetAdditional?: string | null;
                        /** @description The city. */
                        city?: string | null;
                        /** @description The region or state. */
                        region?: string | null;
                        /** @description The postal code. */
                        postalCode?: string | null;
                        /** @description The country as an ISO 3166-1 alpha-2 code in capital letters. */
                        country?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "href": "https://pay.example/billing-update/X4lSJkuBDBHk0WAJcj23AA2zvAICXKScz5JdsqFMiXLS",
                     *       "type": "text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    previewSubscriptionChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `subscription_`.
                 * @example subscription_t61ueaDUREELy8SU7L4m0v
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "quantity": 5,
                 *       "applyImmediately": true,
                 *       "prorate": true,
                 *       "invoiceImmediately": true
                 *     }
                 */
                "application/json": {
                    /** @description The id of the plan to switch to. The plan must not be archived. */
                    subscriptionPlanId?: string | null;
                    /** @description The new total number of units. */
                    quantity?: number | null;
                    /** @description The new recurring price of one unit, in the subscription's own currency. */
                    price?: {
                        /**
                         * @description A decimal string with exactly two decimals, from 0.00 to 999999.99.
                         * @example 10.00
                         */
                        value: string;
                        /**
                         * @description An ISO 4217 code.
                         * @enum {string}
                         */
                        currency: "EUR" | "USD";
                    } | null;
                    /**
                     * @description Whether unused time is credited, and the remaining time charged at the new price.
                     * @default true
                     */
                    prorate?: boolean;
                    /**
                     * @description Whether the change applies now. If false, it waits in `scheduledUpdate` for the next renewal.
                     * @default false
                     */
                    applyImmediately?: boolean;
                    /**
                     * @description Whether the prorated amount is charged now. If false, the next renewal charges the amount.
                     * @default false
                     */
                    invoiceImmediately?: boolean;
                    /** @description The day (UTC) from which billing periods count: in the future, at most one interval ahead. Cannot be combined with `resetAnchor`. */
                    anchor?: string | null;
                    /**
                     * @description Whether billing periods count from the time of the change. Cannot be combined with `anchor`.
                     * @default false
                     */
                    resetAnchor?: boolean;
                    /** @description The new end of the trial, not before the end of the paid period. It takes effect at once. Cannot be combined with `anchor`. */
                    trialUntil?: string | null;
                    /** @description Replaces the metadata at once, even if the other changes are scheduled. Null clears the metadata. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                    /** @description An addition to the contract. The time for the proration and tax of an immediate change: the `asOf` of a preview. At most one hour old, not in the future, and not before the last change of the subscription. Refused if the amounts of the change are no longer the amounts of the preview. */
                    asOf?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dueNow": {
                     *         "lines": [
                     *           {
                     *             "resource": "orderline",
                     *             "description": "Unused time on 3 × Team, 4 Jan – 4 Feb 2027",
                     *             "quantity": 1,
                     *             "basePrice": {
                     *               "value": "-30.00",
                     *               "currency": "EUR"
                     *             },
                     *             "total": {
                     *               "value": "-36.30",
                     *               "currency": "EUR"
                     *             },
                     *             "subtotal": {
                     *               "value": "-30.00",
                     *               "currency": "EUR"
                     *             },
                     *             "taxes": [
                     *               {
                     *                 "taxRate": {
                     *                   "name": "VAT",
                     *                   "percentage": 21,
                     *                   "taxablePercentage": 100
                     *                 },
                     *                 "amount": {
                     *                   "value": "-6.30",
                     *                   "currency": "EUR"
                     *                 }
                     *               }
                     *             ],
                     *             "productType": "subscription",
                     *             "productId": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *             "metadata": null
                     *           },
                     *           {
                     *             "resource": "orderline",
                     *             "description": "Remaining time on 5 × Team, 4 Jan – 4 Feb 2027",
                     *             "quantity": 1,
                     *             "basePrice": {
                     *               "value": "50.00",
                     *               "currency": "EUR"
                     *             },
                     *             "total": {
                     *               "value": "60.50",
                     *               "currency": "EUR"
                     *             },
                     *             "subtotal": {
                     *               "value": "50.00",
                     *               "currency": "EUR"
                     *             },
                     *             "taxes": [
                     *               {
                     *                 "taxRate": {
                     *                   "name": "VAT",
                     *                   "percentage": 21,
                     *                   "taxablePercentage": 100
                     *                 },
                     *                 "amount": {
                     *                   "value": "10.50",
                     *                   "currency": "EUR"
                     *                 }
                     *               }
                     *             ],
                     *             "productType": "subscription",
                     *             "productId": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *             "metadata": null
                     *           }
                     *         ],
                     *         "subtotal": {
                     *           "value": "20.00",
                     *           "currency": "EUR"
                     *         },
                     *         "taxSummary": [
                     *           {
                     *             "taxRate": {
                     *               "name": "VAT",
                     *               "percentage": 21,
                     *               "taxablePercentage": 100
                     *             },
                     *             "amount": {
                     *               "value": "4.20",
                     *               "currency": "EUR"
                     *             }
                     *           }
                     *         ],
                     *         "total": {
                     *           "value": "24.20",
                     *           "currency": "EUR"
                     *         }
                     *       },
                     *       "nextRenewal": {
                     *         "at": "2027-02-04T09:00:00Z",
                     *         "lines": [
                     *           {
                     *             "resource": "orderline",
                     *             "description": "Team",
                     *             "quantity": 5,
                     *             "basePrice": {
                     *               "value": "10.00",
                     *               "currency": "EUR"
                     *             },
                     *             "total": {
                     *               "value": "60.50",
                     *               "currency": "EUR"
                     *             },
                     *             "subtotal": {
                     *               "value": "50.00",
                     *               "currency": "EUR"
                     *             },
                     *             "taxes": [
                     *               {
                     *                 "taxRate": {
                     *                   "name": "VAT",
                     *                   "percentage": 21,
                     *                   "taxablePercentage": 100
                     *                 },
                     *                 "amount": {
                     *                   "value": "10.50",
                     *                   "currency": "EUR"
                     *                 }
                     *               }
                     *             ],
                     *             "productType": "subscription",
                     *             "productId": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *             "metadata": null
                     *           }
                     *         ],
                     *         "subtotal": {
                     *           "value": "50.00",
                     *           "currency": "EUR"
                     *         },
                     *         "taxSummary": [
                     *           {
                     *             "taxRate": {
                     *               "name": "VAT",
                     *               "percentage": 21,
                     *               "taxablePercentage": 100
                     *             },
                     *             "amount": {
                     *               "value": "10.50",
                     *               "currency": "EUR"
                     *             }
                     *           }
                     *         ],
                     *         "total": {
                     *           "value": "60.50",
                     *           "currency": "EUR"
                     *         }
                     *       },
                     *       "refusal": null,
                     *       "asOf": "2027-01-04T09:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriptionChangePreview"];
                };
            };
        };
    };
    resumeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `subscription_`.
                 * @example subscription_t61ueaDUREELy8SU7L4m0v
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *       "resource": "subscription",
                     *       "testmode": true,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "subscriptionPlanId": "subscription_plan_d6tPF0ePRrcAVVngrrfEdY",
                     *       "name": "Business",
                     *       "description": "For teams, per seat",
                     *       "billingAddress": {
                     *         "fullName": "Ada",
                     *         "companyName": null,
                     *         "taxId": "DE1",
                     *         "streetAndNumber": null,
                     *         "streetAdditional": null,
                     *         "city": null,
                     *         "region": null,
                     *         "postalCode": null,
                     *         "country": "DE"
                     *       },
                     *       "basePrice": {
                     *         "value": "25.00",
                     *         "currency": "EUR"
                     *       },
                     *       "quantity": 5,
                     *       "interval": "month",
                     *       "intervalCount": 1,
                     *       "status": "active",
                     *       "cancellationReason": null,
                     *       "cancellationFeedback": null,
                     *       "mandate": {
                     *         "method": "paypal",
                     *         "maskedIdentifier": "j***@example.com"
                     *       },
                     *       "startedAt": "2027-01-04T09:00:00Z",
                     *       "endedAt": null,
                     *       "canceledAt": null,
                     *       "renewedAt": "2027-01-04T09:00:00Z",
                     *       "renewedUntil": "2027-03-04T09:00:00Z",
                     *       "paidUntil": "2027-03-04T09:00:00Z",
                     *       "nextRenewalAt": "2027-03-04T09:00:00Z",
                     *       "trialUntil": null,
                     *       "metadata": null,
                     *       "scheduledUpdate": null,
                     *       "recovery": null,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscriptions/subscription_t61ueaDUREELy8SU7L4m0v",
                     *           "type": "application/json"
                     *         },
                     *         "customer": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    getTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": "2027-01-04T09:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    advanceTestClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "P1D"
                 *     }
                 */
                "application/json": {
                    /** @description An ISO 8601 duration, such as `P1M` or `PT25H`. Send either `by` or `to`. */
                    by?: string;
                    /**
                     * Format: date-time
                     * @description The new time, which must be later than the time on the clock. Send either `to` or `by`.
                     */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": "2027-01-05T09:00:00Z",
                     *       "ran": 2,
                     *       "remaining": 0,
                     *       "waiting": []
                     *     }
                     */
                    "application/json": components["schemas"]["TestClockAdvance"];
                };
            };
        };
    };
    simulatePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `order_`.
                 * @example order_gFZxZ6sWlrnkKX3J3MEgZT
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "paymentStatus": "paid"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The outcome of the payment.
                     * @enum {string}
                     */
                    paymentStatus: "paid" | "failed";
                    /** @description Why the payment fails (default: `general_failure`). Only with `paymentStatus` `failed`. */
                    failureReason?: ("insufficient_funds" | "temporary_decline" | "general_failure" | "invalid_mandate" | "mandate_canceled" | "account_closed" | "card_expired" | "card_lost_or_stolen" | "invalid_card_details" | "authentication_failed" | "fraud_suspected") | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "order_gFZxZ6sWlrnkKX3J3MEgZT",
                     *       "resource": "order",
                     *       "testmode": true,
                     *       "customerId": "customer_QDncgU7hoFYL4PdzSgh3Q1",
                     *       "metadata": null,
                     *       "paymentMethod": "creditcard",
                     *       "status": "pending",
                     *       "paymentFailure": null,
                     *       "invoiceNumber": null,
                     *       "creditedOrderId": null,
                     *       "replacesOrderId": null,
                     *       "total": {
                     *         "value": "12.10",
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "value": "10.00",
                     *         "currency": "EUR"
                     *       },
                     *       "reversedSubtotal": {
                     *         "value": "0.00",
                     *         "currency": "EUR"
                     *       },
                     *       "refundableSubtotal": {
                     *         "value": "0.00",
                     *         "currency": "EUR"
                     *       },
                     *       "taxSummary": [
                     *         {
                     *           "taxRate": {
                     *             "name": "VAT",
                     *             "percentage": 21,
                     *             "taxablePercentage": 100
                     *           },
                     *           "amount": {
                     *             "value": "2.10",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "id": "order_item_sF9nYtqZLiPaT9M6pRD2J5",
                     *           "resource": "orderline",
                     *           "description": "Pro",
                     *           "quantity": 1,
                     *           "basePrice": {
                     *             "value": "10.00",
                     *             "currency": "EUR"
                     *           },
                     *           "total": {
                     *             "value": "12.10",
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "value": "10.00",
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": [
                     *             {
                     *               "taxRate": {
                     *                 "name": "VAT",
                     *                 "percentage": 21,
                     *                 "taxablePercentage": 100
                     *               },
                     *               "amount": {
                     *                 "value": "2.10",
                     *                 "currency": "EUR"
                     *               }
                     *             }
                     *           ],
                     *           "productType": "subscription",
                     *           "productId": "subscription_QebZH9ol5n3rTt6LwoaOuC",
                     *           "metadata": null,
                     *           "links": {
                     *             "order": {
                     *               "href": "https://pay.example/v1/orders/order_gFZxZ6sWlrnkKX3J3MEgZT",
                     *               "type": "application/json"
                     *             },
                     *             "product": {
                     *               "href": "https://pay.example/v1/subscriptions/subscription_QebZH9ol5n3rTt6LwoaOuC",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "customerDetails": {
                     *         "fullName": "Ada",
                     *         "companyName": null,
                     *         "taxId": null,
                     *         "streetAndNumber": null,
                     *         "streetAdditional": null,
                     *         "city": null,
                     *         "region": null,
                     *         "postalCode": null,
                     *         "country": "NL",
                     *         "email": "joan@example.com"
                     *       },
                     *       "createdAt": "2027-01-05T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/orders/order_gFZxZ6sWlrnkKX3J3MEgZT",
                     *           "type": "application/json"
                     *         },
                     *         "customer": {
                     *           "href": "https://pay.example/v1/customers/customer_QDncgU7hoFYL4PdzSgh3Q1",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    fastForwardRenewal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `subscription_`.
                 * @example subscription_t61ueaDUREELy8SU7L4m0v
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "paymentStatus": "paid"
                 *     }
                 */
                "application/json": {
                    /** @description The outcome of the payment. If omitted, the payment stays pending. */
                    paymentStatus?: ("paid" | "failed") | null;
                    /** @description Why the payment fails (default: `general_failure`). Only with `paymentStatus` `failed`. */
                    failureReason?: ("insufficient_funds" | "temporary_decline" | "general_failure" | "invalid_mandate" | "mandate_canceled" | "account_closed" | "card_expired" | "card_lost_or_stolen" | "invalid_card_details" | "authentication_failed" | "fraud_suspected") | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "subscription_t61ueaDUREELy8SU7L4m0v",
                     *       "resource": "subscription",
                     *       "testmode": true,
                     *       "customerId": "customer_P4ur2GNl80NHXh6ea5XxqA",
                     *       "subscriptionPlanId": "subscription_plan_RfEwE7QN3oX14T1dgwAOcY",
                     *       "name": "Team",
                     *       "description": "With a better description",
                     *       "billingAddress": {
                     *         "fullName": "Ada",
                     *         "companyName": null,
                     *         "taxId": "DE1",
                     *         "streetAndNumber": null,
                     *         "streetAdditional": null,
                     *         "city": null,
                     *         "region": null,
                     *         "postalCode": null,
                     *         "country": "DE"
                     *       },
                     *       "basePrice": {
                     *         "value": "10.00",
                     *         "currency": "EUR"
                     *       },
                     *       "quantity": 5,
                     *       "interval": "month",
                     *       "intervalCount": 1,
                     *       "status": "active",
                     *       "cancellationReason": null,
                     *       "cancellationFeedback": null,
                     *       "mandate": {
                     *         "method": "paypal",
                     *         "maskedIdentifier": "j***@example.com"
                     *       },
                     *       "startedAt": "2027-01-04T09:00:00Z",
                     *       "endedAt": null,
                     *       "canceledAt": null,
                     *       "renewedAt": null,
                     *       "renewedUntil": "2027-02-04T09:00:00Z",
                     *       "paidUntil": "2027-02-04T09:00:00Z",
                     *       "nextRenewalAt": "2027-02-04T09:00:00Z",
                     *       "trialUntil": null,
                     *       "metadata": null,
                     *       "scheduledUpdate": {
                     *         "subscriptionPlanId": "subscription_plan_d6tPF0ePRrcAVVngrrfEdY",
                     *         "name": "Business",
                     *         "description": "For teams, per seat",
                     *         "basePrice": {
                     *           "value": "25.00",
                     *           "currency": "EUR"
                     *         },
                     *         "quantity": 5,
                     *         "interval": "month",
                     *         "intervalCount": 1,
                     *         "effectiveAt": "2027-02-04T09:00:00Z"
                     *       },
                     *       "recovery": null,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/subscriptions/subscription_t61ueaDUREELy8SU7L4m0v",
                     *           "type": "application/json"
                     *         },
                     *         "customer": {
                     *           "href": "https://pay.example/v1/customers/customer_P4ur2GNl80NHXh6ea5XxqA",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    setPaymentBehavior: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `subscription_`.
                 * @example subscription_t61ueaDUREELy8SU7L4m0v
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": "failed",
                 *       "failureReason": "insufficient_funds",
                 *       "times": 2
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The outcome of the next charges.
                     * @enum {string}
                     */
                    outcome: "paid" | "failed";
                    /** @description Why the charges fail (default: `general_failure`). Only with `outcome` `failed`. */
                    failureReason?: ("insufficient_funds" | "temporary_decline" | "general_failure" | "invalid_mandate" | "mandate_canceled" | "account_closed" | "card_expired" | "card_lost_or_stolen" | "invalid_card_details" | "authentication_failed" | "fraud_suspected") | null;
                    /** @description The number of charges that fail. Later charges are paid. Only with `outcome` `failed`. */
                    times?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "failed",
                     *       "failureReason": "insufficient_funds",
                     *       "times": 2
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentBehavior"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of results on a page.
                 * @example 2
                 */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "webhook_DUfo6wJreSplww1RaR7dKo",
                     *           "resource": "webhook_endpoint",
                     *           "testmode": true,
                     *           "url": "https://shop.example/webhooks",
                     *           "enabledEvents": [
                     *             "order.paid",
                     *             "subscription.updated"
                     *           ],
                     *           "createdAt": "2027-01-04T09:00:00Z",
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/webhook-endpoints/webhook_DUfo6wJreSplww1RaR7dKo",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/webhook-endpoints?limit=2",
                     *           "type": "application/json"
                     *         },
                     *         "next": null,
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["WebhookEndpoint"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example/webhooks",
                 *       "secret": "whsec_choose_your_own",
                 *       "enabledEvents": [
                 *         "order.paid",
                 *         "subscription.updated"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description A public HTTPS URL with a valid certificate. It must be unique in the storefront and mode.
                     */
                    url: string;
                    /** @description The secret that signs the deliveries. No response contains the secret. */
                    secret: string;
                    /** @description The names of the events to send. If omitted, all events that exist today. If empty, no events are sent. */
                    enabledEvents?: ("order.paid" | "order.canceled" | "order.payment_failed" | "order.chargeback_received" | "order.chargeback_reversed" | "refund.completed" | "refund.failed" | "refund.canceled" | "subscription.started" | "subscription.updated" | "subscription.update_scheduled" | "subscription.billing_updated" | "subscription.resumed" | "subscription.canceled_immediately" | "subscription.canceled_for_nonpayment" | "subscription.canceled_with_grace_period" | "subscription.cancellation_grace_period_completed" | "checkout.paid" | "checkout.failed" | "checkout.canceled" | "checkout.expired" | "one_off_product.update_submitted" | "one_off_product.update_approved" | "one_off_product.update_rejected" | "one_off_product.archived" | "one_off_product.unarchived" | "subscription_plan.update_submitted" | "subscription_plan.update_approved" | "subscription_plan.update_rejected" | "subscription_plan.archived" | "subscription_plan.unarchived")[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "webhook_DUfo6wJreSplww1RaR7dKo",
                     *       "resource": "webhook_endpoint",
                     *       "testmode": true,
                     *       "url": "https://shop.example/webhooks",
                     *       "enabledEvents": [
                     *         "order.paid",
                     *         "subscription.updated"
                     *       ],
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/webhook-endpoints/webhook_DUfo6wJreSplww1RaR7dKo",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `webhook_`.
                 * @example webhook_DUfo6wJreSplww1RaR7dKo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "webhook_DUfo6wJreSplww1RaR7dKo",
                     *       "resource": "webhook_endpoint",
                     *       "testmode": true,
                     *       "url": "https://shop.example/webhooks",
                     *       "enabledEvents": [
                     *         "order.paid",
                     *         "subscription.updated"
                     *       ],
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/webhook-endpoints/webhook_DUfo6wJreSplww1RaR7dKo",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `webhook_`.
                 * @example webhook_DUfo6wJreSplww1RaR7dKo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `webhook_`.
                 * @example webhook_DUfo6wJreSplww1RaR7dKo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "secret": "whsec_another_secret"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description A public HTTPS URL with a valid certificate. It must be unique in the storefront and mode.
                     */
                    url?: string;
                    /** @description The secret that signs the deliveries. No response contains the secret. */
                    secret?: string;
                    /** @description The names of the events to send. Replaces the current names. If empty, no events are sent. */
                    enabledEvents?: ("order.paid" | "order.canceled" | "order.payment_failed" | "order.chargeback_received" | "order.chargeback_reversed" | "refund.completed" | "refund.failed" | "refund.canceled" | "subscription.started" | "subscription.updated" | "subscription.update_scheduled" | "subscription.billing_updated" | "subscription.resumed" | "subscription.canceled_immediately" | "subscription.canceled_for_nonpayment" | "subscription.canceled_with_grace_period" | "subscription.cancellation_grace_period_completed" | "checkout.paid" | "checkout.failed" | "checkout.canceled" | "checkout.expired" | "one_off_product.update_submitted" | "one_off_product.update_approved" | "one_off_product.update_rejected" | "one_off_product.archived" | "one_off_product.unarchived" | "subscription_plan.update_submitted" | "subscription_plan.update_approved" | "subscription_plan.update_rejected" | "subscription_plan.archived" | "subscription_plan.unarchived")[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "webhook_DUfo6wJreSplww1RaR7dKo",
                     *       "resource": "webhook_endpoint",
                     *       "testmode": true,
                     *       "url": "https://shop.example/webhooks",
                     *       "enabledEvents": [
                     *         "order.paid",
                     *         "subscription.updated"
                     *       ],
                     *       "createdAt": "2027-01-04T09:00:00Z",
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/webhook-endpoints/webhook_DUfo6wJreSplww1RaR7dKo",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    pingWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice. A retry with the same key returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id that begins with `webhook_`.
                 * @example webhook_DUfo6wJreSplww1RaR7dKo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivered": true,
                     *       "status": 200,
                     *       "error": null,
                     *       "durationMs": 84
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookPing"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of results on a page.
                 * @example 1
                 */
                limit?: number;
                /** @description The id of a resource in this list. The page begins after this resource. */
                startingAfter?: string;
                /** @description The id of a resource in this list. The page contains the results directly before this resource, newest first. */
                endingBefore?: string;
                /**
                 * @description Only the events with this name.
                 * @example order.paid
                 */
                eventName?: "order.paid" | "order.canceled" | "order.payment_failed" | "order.chargeback_received" | "order.chargeback_reversed" | "refund.completed" | "refund.failed" | "refund.canceled" | "subscription.started" | "subscription.updated" | "subscription.update_scheduled" | "subscription.billing_updated" | "subscription.resumed" | "subscription.canceled_immediately" | "subscription.canceled_for_nonpayment" | "subscription.canceled_with_grace_period" | "subscription.cancellation_grace_period_completed" | "checkout.paid" | "checkout.failed" | "checkout.canceled" | "checkout.expired" | "one_off_product.update_submitted" | "one_off_product.update_approved" | "one_off_product.update_rejected" | "one_off_product.archived" | "one_off_product.unarchived" | "subscription_plan.update_submitted" | "subscription_plan.update_approved" | "subscription_plan.update_rejected" | "subscription_plan.archived" | "subscription_plan.unarchived";
                /** @description Only the events about the resource with this id. */
                entityId?: string;
                /** @description Only resources that were created at or after this time. */
                createdAfter?: string;
                /** @description Only resources that were created before this time. */
                createdBefore?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "webhook_event_oP2XBsj3apQw0I1TQNUFGM",
                     *           "resource": "webhook_event",
                     *           "eventName": "order.paid",
                     *           "reason": null,
                     *           "entityType": "order",
                     *           "entityId": "order_RbCIMtumezp8vLgFt257p9",
                     *           "testmode": true,
                     *           "createdAt": "2027-03-05T09:00:00Z",
                     *           "object": {
                     *             "id": "order_RbCIMtumezp8vLgFt257p9",
                     *             "resource": "order",
                     *             "testmode": true,
                     *             "customerId": "customer_QDncgU7hoFYL4PdzSgh3Q1",
                     *             "metadata": null,
                     *             "paymentMethod": "creditcard",
                     *             "status": "paid",
                     *             "paymentFailure": null,
                     *             "invoiceNumber": "TEST-INV-2027-000008",
                     *             "creditedOrderId": null,
                     *             "replacesOrderId": null,
                     *             "total": {
                     *               "value": "12.10",
                     *               "currency": "EUR"
                     *             },
                     *             "subtotal": {
                     *               "value": "10.00",
                     *               "currency": "EUR"
                     *             },
                     *             "reversedSubtotal": {
                     *               "value": "0.00",
                     *               "currency": "EUR"
                     *             },
                     *             "refundableSubtotal": {
                     *               "value": "10.00",
                     *               "currency": "EUR"
                     *             },
                     *             "taxSummary": [
                     *               {
                     *                 "taxRate": {
                     *                   "name": "VAT",
                     *                   "percentage": 21,
                     *                   "taxablePercentage": 100
                     *                 },
                     *                 "amount": {
                     *                   "value": "2.10",
                     *                   "currency": "EUR"
                     *                 }
                     *               }
                     *             ],
                     *             "lines": [
                     *               {
                     *                 "id": "order_item_xD2h68IqS23cCV3XLNKlE3",
                     *                 "resource": "orderline",
                     *                 "description": "Pro",
                     *                 "quantity": 1,
                     *                 "basePrice": {
                     *                   "value": "10.00",
                     *                   "currency": "EUR"
                     *                 },
                     *                 "total": {
                     *                   "value": "12.10",
                     *                   "currency": "EUR"
                     *                 },
                     *                 "subtotal": {
                     *                   "value": "10.00",
                     *                   "currency": "EUR"
                     *                 },
                     *                 "taxes": [
                     *                   {
                     *                     "taxRate": {
                     *                       "name": "VAT",
                     *                       "percentage": 21,
                     *                       "taxablePercentage": 100
                     *                     },
                     *                     "amount": {
                     *                       "value": "2.10",
                     *                       "currency": "EUR"
                     *                     }
                     *                   }
                     *                 ],
                     *                 "productType": "subscription",
                     *                 "productId": "subscription_QebZH9ol5n3rTt6LwoaOuC",
                     *                 "metadata": null,
                     *                 "links": {
                     *                   "order": {
                     *                     "href": "https://pay.example/v1/orders/order_RbCIMtumezp8vLgFt257p9",
                     *                     "type": "application/json"
                     *                   },
                     *                   "product": {
                     *                     "href": "https://pay.example/v1/subscriptions/subscription_QebZH9ol5n3rTt6LwoaOuC",
                     *                     "type": "application/json"
                     *                   }
                     *                 }
                     *               }
                     *             ],
                     *             "customerDetails": {
                     *               "fullName": "Ada",
                     *               "companyName": null,
                     *               "taxId": null,
                     *               "streetAndNumber": null,
                     *               "streetAdditional": null,
                     *               "city": null,
                     *               "region": null,
                     *               "postalCode": null,
                     *               "country": "NL",
                     *               "email": "joan@example.com"
                     *             },
                     *             "createdAt": "2027-03-05T09:00:00Z",
                     *             "links": {
                     *               "self": {
                     *                 "href": "https://pay.example/v1/orders/order_RbCIMtumezp8vLgFt257p9",
                     *                 "type": "application/json"
                     *               },
                     *               "customer": {
                     *                 "href": "https://pay.example/v1/customers/customer_QDncgU7hoFYL4PdzSgh3Q1",
                     *                 "type": "application/json"
                     *               },
                     *               "customerInvoice": {
                     *                 "href": "https://pay.example/invoices/WRMnABgp3lOnCi7RWMUlDwBCUZA0T0yxGem2vXl5duUE",
                     *                 "type": "text/html"
                     *               }
                     *             }
                     *           },
                     *           "links": {
                     *             "self": {
                     *               "href": "https://pay.example/v1/webhook-events/webhook_event_oP2XBsj3apQw0I1TQNUFGM",
                     *               "type": "application/json"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/webhook-events?eventName=order.paid&limit=1",
                     *           "type": "application/json"
                     *         },
                     *         "next": {
                     *           "href": "https://pay.example/v1/webhook-events?eventName=order.paid&limit=1&startingAfter=webhook_event_oP2XBsj3apQw0I1TQNUFGM",
                     *           "type": "application/json"
                     *         },
                     *         "prev": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The resources of this page, newest first. */
                        data: components["schemas"]["WebhookEvent"][];
                        /** @description The number of resources in this page. */
                        count: number;
                        /** @description Links to this page, the next page, and the previous page. */
                        links: {
                            /** @description The URL of this request. */
                            self: components["schemas"]["Link"];
                            /** @description The next page, with the same limit and filters; null at the end. */
                            next: components["schemas"]["Link"] | null;
                            /** @description The previous page, with the same limit and filters; null at the beginning. */
                            prev: components["schemas"]["Link"] | null;
                        };
                    };
                };
            };
        };
    };
    getWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id that begins with `webhook_event_`.
                 * @example webhook_event_oP2XBsj3apQw0I1TQNUFGM
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "webhook_event_oP2XBsj3apQw0I1TQNUFGM",
                     *       "resource": "webhook_event",
                     *       "eventName": "order.paid",
                     *       "reason": null,
                     *       "entityType": "order",
                     *       "entityId": "order_RbCIMtumezp8vLgFt257p9",
                     *       "testmode": true,
                     *       "createdAt": "2027-03-05T09:00:00Z",
                     *       "object": {
                     *         "id": "order_RbCIMtumezp8vLgFt257p9",
                     *         "resource": "order",
                     *         "testmode": true,
                     *         "customerId": "customer_QDncgU7hoFYL4PdzSgh3Q1",
                     *         "metadata": null,
                     *         "paymentMethod": "creditcard",
                     *         "status": "paid",
                     *         "paymentFailure": null,
                     *         "invoiceNumber": "TEST-INV-2027-000008",
                     *         "creditedOrderId": null,
                     *         "replacesOrderId": null,
                     *         "total": {
                     *           "value": "12.10",
                     *           "currency": "EUR"
                     *         },
                     *         "subtotal": {
                     *           "value": "10.00",
                     *           "currency": "EUR"
                     *         },
                     *         "reversedSubtotal": {
                     *           "value": "0.00",
                     *           "currency": "EUR"
                     *         },
                     *         "refundableSubtotal": {
                     *           "value": "10.00",
                     *           "currency": "EUR"
                     *         },
                     *         "taxSummary": [
                     *           {
                     *             "taxRate": {
                     *               "name": "VAT",
                     *               "percentage": 21,
                     *               "taxablePercentage": 100
                     *             },
                     *             "amount": {
                     *               "value": "2.10",
                     *               "currency": "EUR"
                     *             }
                     *           }
                     *         ],
                     *         "lines": [
                     *           {
                     *             "id": "order_item_xD2h68IqS23cCV3XLNKlE3",
                     *             "resource": "orderline",
                     *             "description": "Pro",
                     *             "quantity": 1,
                     *             "basePrice": {
                     *               "value": "10.00",
                     *               "currency": "EUR"
                     *             },
                     *             "total": {
                     *               "value": "12.10",
                     *               "currency": "EUR"
                     *             },
                     *             "subtotal": {
                     *               "value": "10.00",
                     *               "currency": "EUR"
                     *             },
                     *             "taxes": [
                     *               {
                     *                 "taxRate": {
                     *                   "name": "VAT",
                     *                   "percentage": 21,
                     *                   "taxablePercentage": 100
                     *                 },
                     *                 "amount": {
                     *                   "value": "2.10",
                     *                   "currency": "EUR"
                     *                 }
                     *               }
                     *             ],
                     *             "productType": "subscription",
                     *             "productId": "subscription_QebZH9ol5n3rTt6LwoaOuC",
                     *             "metadata": null,
                     *             "links": {
                     *               "order": {
                     *                 "href": "https://pay.example/v1/orders/order_RbCIMtumezp8vLgFt257p9",
                     *                 "type": "application/json"
                     *               },
                     *               "product": {
                     *                 "href": "https://pay.example/v1/subscriptions/subscription_QebZH9ol5n3rTt6LwoaOuC",
                     *                 "type": "application/json"
                     *               }
                     *             }
                     *           }
                     *         ],
                     *         "customerDetails": {
                     *           "fullName": "Ada",
                     *           "companyName": null,
                     *           "taxId": null,
                     *           "streetAndNumber": null,
                     *           "streetAdditional": null,
                     *           "city": null,
                     *           "region": null,
                     *           "postalCode": null,
                     *           "country": "NL",
                     *           "email": "joan@example.com"
                     *         },
                     *         "createdAt": "2027-03-05T09:00:00Z",
                     *         "links": {
                     *           "self": {
                     *             "href": "https://pay.example/v1/orders/order_RbCIMtumezp8vLgFt257p9",
                     *             "type": "application/json"
                     *           },
                     *           "customer": {
                     *             "href": "https://pay.example/v1/customers/customer_QDncgU7hoFYL4PdzSgh3Q1",
                     *             "type": "application/json"
                     *           },
                     *           "customerInvoice": {
                     *             "href": "https://pay.example/invoices/WRMnABgp3lOnCi7RWMUlDwBCUZA0T0yxGem2vXl5duUE",
                     *             "type": "text/html"
                     *           }
                     *         }
                     *       },
                     *       "links": {
                     *         "self": {
                     *           "href": "https://pay.example/v1/webhook-events/webhook_event_oP2XBsj3apQw0I1TQNUFGM",
                     *           "type": "application/json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
        };
    };
}
