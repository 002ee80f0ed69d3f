/** Webhook endpoints of a storefront and mode. */
export const mostEndpoints = 5
/** How long an endpoint has to answer the `webhook.setup` ping. */
export const setupTimeoutMs = 10_000
/** Concurrent pings of a storefront, and how many more may wait. It is enough to register all endpoints of a mode at once. */
export const pingsAtOnce = mostEndpoints
/** How long an endpoint has to answer a delivery. */
export const deliveryTimeoutMs = 15_000
/** Failed deliveries to one endpoint that are sent again together. */
export const mostSentAgain = 5_000
/** How long ago they may have failed. */
export const sentAgainDays = 30
/** How long the attempts of deliveries are kept. */
export const attemptsKeptDays = 90
