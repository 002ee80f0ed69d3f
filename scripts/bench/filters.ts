import type { Bench } from './context.ts'
import { type Comparison, compare } from './figures.ts'
import { measurePairs, type PairSettings } from './pairs.ts'
import type { Route } from './routes.ts'

/** This file compares filtered list requests with the first page of the same list without filters. */

export interface Filtered {
  /** Customers with orders, each with one of their orders and one of their subscriptions. */
  readonly some: readonly { readonly customerId: string; readonly orderId: string; readonly subscriptionId: string }[]
  readonly planId: string
  readonly customerWithoutOrders: string
  readonly otherPlanId: string
}

export interface FilterFigures extends Comparison {
  readonly list: string
  readonly filter: string
  /** 8 kB pages that the database reads per request. */
  readonly pages: number
  readonly pagesUnfiltered: number
}

type List = 'orders' | 'subscriptions' | 'webhook-events'

const filtersOf = ({ some, planId, otherPlanId, customerWithoutOrders }: Filtered): [List, string, string[]][] => {
  const ofEach = (query: (one: Filtered['some'][number]) => string) => some.map(query)
  return [
    ['orders', 'customerId', ofEach(({ customerId }) => `customerId=${customerId}`)],
    ['orders', 'customerId of a customer without orders', [`customerId=${customerWithoutOrders}`]],
    ['orders', 'customerId and status', ofEach(({ customerId }) => `customerId=${customerId}&status=paid`)],
    ['orders', 'subscriptionId', ofEach(({ subscriptionId }) => `subscriptionId=${subscriptionId}`)],
    ['orders', 'status of all orders', ['status=paid']],
    ['orders', 'status of few orders', ['status=canceled']],
    ['orders', 'createdAfter and createdBefore', ['createdAfter=1960-01-01&createdBefore=2100-01-01']],
    ['subscriptions', 'customerId', ofEach(({ customerId }) => `customerId=${customerId}`)],
    ['subscriptions', 'subscriptionPlanId of all subscriptions', [`subscriptionPlanId=${planId}`]],
    ['subscriptions', 'subscriptionPlanId of few subscriptions', [`subscriptionPlanId=${otherPlanId}`]],
    ['subscriptions', 'status of all subscriptions', ['status=active']],
    ['subscriptions', 'status of no subscription', ['status=paused']],
    ['webhook-events', 'entityId', ofEach(({ subscriptionId }) => `entityId=${subscriptionId}`)],
    ['webhook-events', 'eventName of few events', ['eventName=one_off_product.archived']],
    ['webhook-events', 'eventName and entityId', ofEach(({ orderId }) => `eventName=order.paid&entityId=${orderId}`)],
    ['webhook-events', 'createdAfter and createdBefore', ['createdAfter=1960-01-01&createdBefore=2100-01-01']],
  ]
}

/** @param pagesOf measures the pages that the database reads per request of a route */
export async function measureFilters(
  { api, installation, loader, connections, say }: Bench,
  filtered: Filtered,
  settings: PairSettings,
  pagesOf: (route: Route) => Promise<number>,
): Promise<FilterFigures[]> {
  const figures: FilterFigures[] = []
  for (const [list, filter, queries] of filtersOf(filtered)) {
    say(`Measuring ${list} filtered by ${filter}`)
    const route = { status: 200, requests: queries.map((query) => api.request('GET', `/v1/${list}?${query}`)) }
    const unfiltered = { status: 200, requests: [api.request('GET', `/v1/${list}`)] }
    const target = { origin: installation.baseUrl, connections }
    const pairs = await measurePairs(loader, { ...target, ...route }, { ...target, ...unfiltered }, settings)
    const pages = { pages: await pagesOf(route), pagesUnfiltered: await pagesOf(unfiltered) }
    figures.push({ list, filter, ...compare(pairs), ...pages })
  }
  return figures
}

export const filterTable = (figures: readonly FilterFigures[]): string =>
  [
    '| a filtered page of ten | p50 ms | times as long as without the filter | lowest to highest | pages read | pages read without the filter |',
    '|---|--:|--:|--:|--:|--:|',
    ...figures.map(({ list, filter, p50, ratio, lowestRatio, highestRatio, pages, pagesUnfiltered }) => {
      const [times, least, most] = [ratio, highestRatio, lowestRatio].map((value) => (1 / value).toFixed(2))
      return `| ${list} by ${filter} | ${p50.toFixed(2)} | ${times} | ${least} to ${most} | ${pages} | ${pagesUnfiltered} |`
    }),
  ].join('\n')
