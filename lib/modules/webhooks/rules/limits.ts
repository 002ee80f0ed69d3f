/** The maximum number of webhook endpoints per storefront and mode. */
export const mostEndpoints = 5
/** The time limit for the response to the `webhook.setup` ping. */
export const setupTimeoutMs = 10_000
/**
 * The maximum number of concurrent pings of a storefront, and of waiting ones. It suffices to register all endpoints of
 * a mode at once.
 */
export const pingsAtOnce = 5
/** The time limit for the response to a delivery. */
export const deliveryTimeoutMs = 15_000
/** The maximum number of failed deliveries to one endpoint that are re-sent together. */
export const mostSentAgain = 5_000
/** The maximum number of failed deliveries that match a filter and are re-sent together. */
export const mostMatchingSentAgain = 1_000
/** The maximum age of their failure in days. */
export const sentAgainDays = 30
/** How long attempts are stored. */
export const attemptsKeptDays = 90
