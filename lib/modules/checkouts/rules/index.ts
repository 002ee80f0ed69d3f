export { buyerOf, detailsOf, formProblems, problemOf, readForm } from './buyer.ts'
export {
  type Checkout,
  type CheckoutLine,
  type Draft,
  isOpen,
  isTrial,
  sellsSubscription,
} from './checkout.ts'
export { companyDetailsFor, detailsQuote, fieldsRequiredBy } from './company-details.ts'
export { defaultCountry } from './default-country.ts'
export { itemProblems } from './item-problems.ts'
export { orderOfSale, soldLines, withServicePeriods, withSubscriptions } from './order-of-sale.ts'
export {
  asksForMethod,
  type BuyerChoice,
  pricesOf,
  quoteBeforeTax,
  quoteSale,
  type Sold,
  taxIdEffectOf,
  trialEnd,
  unitPriceAt,
} from './quote.ts'
export { boughtItems } from './receipt.ts'
export { withCheckoutId } from './redirect-url.ts'
export { type Item, snapshot } from './snapshot.ts'
export { type CheckoutStatus, checkoutStates } from './state.ts'
