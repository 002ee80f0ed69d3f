export { maySend, type StorefrontPath } from './access.ts'
export { auditPage } from './audit.ts'
export { balancePage } from './balance.ts'
export { type BrandForm, brandPage, submitBrand } from './brand.ts'
export {
  catalogItemPage,
  catalogPage,
  newCatalogItemPage,
  submitCatalogItem,
  submitNewCatalogItem,
} from './catalog.ts'
export {
  type AnswerForm,
  chargebackPage,
  chargebacksPage,
  submitAnswer,
  submitChargeback,
  submitChargebacks,
} from './chargebacks.ts'
export { checkoutLinkPage, checkoutsPage, newCheckoutPage, submitNewCheckout } from './checkouts.ts'
export { clockPage, submitClock } from './clock.ts'
export { submitCustomerLink } from './customer-links.ts'
export { submitCustomerNotes } from './customer-notes.ts'
export { customerPage, customersPage } from './customers.ts'
export { emailKindsPage, emailPreviewHtml, emailPreviewPage, submitEmailKinds } from './email-kinds.ts'
export { emailPage, emailsPage, submitEmail } from './emails.ts'
export { endpointPage, endpointsPage, submitEndpoint, submitNewEndpoint } from './endpoints.ts'
export { eventPage, eventsPage } from './events.ts'
export { exportEvidence } from './evidence.ts'
export { exportCsv } from './export.ts'
export { homeOfMember, serviceFrame, storefrontFrame } from './frame.ts'
export { inboxPage } from './inbox.ts'
export { keysPage, submitKeys } from './keys.ts'
export { membersPage, submitMembers } from './members.ts'
export { merchantAuditPage } from './merchant-audit.ts'
export { newStorefrontPage, submitNewStorefront } from './new-storefront.ts'
export { openDisputesPage } from './open-disputes.ts'
export { orderPage, ordersPage, submitOrder } from './orders.ts'

export { pastDuePage } from './past-due.ts'
export {
  newPaymentLinkPage,
  paymentLinkPage,
  paymentLinksPage,
  submitNewPaymentLink,
  submitPaymentLink,
} from './payment-links.ts'
export { payoutAccountPage, submitPayoutAccount } from './payout-account.ts'
export { downloadPayoutFile, payoutFilesPage, submitPayoutFiles } from './payout-files.ts'
export { payoutPage, payoutsPage, submitPayouts } from './payouts.ts'
export { peoplePage, submitPeople } from './people.ts'
export { exportCustomerData, personalDataPage, submitPersonalData } from './personal-data.ts'
export { portalPage, submitPortal } from './portal.ts'
export { providerAccountsPage } from './provider-accounts.ts'
export { refundPage } from './refunds.ts'
export { registrationsPage, submitRegistrations } from './registrations.ts'
export { submitDeliveries } from './resend-matching.ts'
export { reviewPage, reviewsPage, submitReview } from './reviews.ts'
export { searchPage } from './search.ts'
export { exportStaffCsv } from './staff-exports.ts'
export { exportStatement, exportStatementPdf, statementPage } from './statements.ts'
export { storefrontOverview } from './storefront-overview.ts'
export { storefrontsPage } from './storefronts.ts'
export { submitSubscriptionChange, subscriptionChangePage } from './subscription-change.ts'
export { submitSubscription, subscriptionPage, subscriptionsPage } from './subscriptions.ts'
export { submitSuspension, suspensionPage } from './suspension.ts'
export { exportTaxDocuments, exportTaxReport, taxReportPage } from './tax-report.ts'
export { exportTaxReturn, taxReturnsPage } from './tax-returns.ts'
export { thresholdsPage } from './thresholds.ts'
export { deliveriesPage, deliveryPage, submitDelivery } from './webhooks.ts'
export { invariantsPage, submitInvariants, workPage } from './work.ts'
