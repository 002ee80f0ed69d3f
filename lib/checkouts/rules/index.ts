export { type Buyer, buyerOf, formProblems, readForm } from './buyer.ts'
export {
  type BillingDetails,
  type Checkout,
  type CheckoutLine,
  type Draft,
  isOpen,
  isTrial,
  sellsSubscription,
} from './checkout.ts'
export { orderOfSale, withSubscriptions } from './order-of-sale.ts'
export { type BuyerChoice, currencyOf, quoteSale, type Sale, trialEnd, unitPriceIn } from './quote.ts'
export { redirectUrlProblem, withCheckoutId } from './redirect-url.ts'
export { type CheckoutStatus, checkoutStates } from './state.ts'
