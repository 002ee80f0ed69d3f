export const mostEndpoints = 5
export const setupTimeoutMs = 10_000
/**
 * The maximum number of running pings per storefront, and also of waiting pings. All five endpoints of a mode can
 * therefore be registered at the same time.
 */
export const pingsAtOnce = 5
export const deliveryTimeoutMs = 15_000
/** One request re-sends at most this number of failed deliveries to an endpoint. */
export const mostSentAgain = 5_000
/** One request re-sends at most this number of failed deliveries that match a filter. */
export const mostMatchingSentAgain = 1_000
/** Deliveries that failed more than this number of days ago cannot be re-sent. */
export const sentAgainDays = 30
export const attemptsKeptDays = 90
