import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { hostedSections } from '../kernel/hosted-pages.ts'
import { connectionCounts } from '../platform/db/pool.ts'
import { isDatabaseUsable } from './usable-database.ts'

export const registry = new Registry()
collectDefaultMetrics({ register: registry })

new Gauge({
  name: 'billhook_database_connections',
  help: 'Database connections of this process that are busy or idle, and the number of uses that wait for a connection.',
  labelNames: ['state'],
  registers: [registry],
  collect() {
    for (const [state, count] of Object.entries(connectionCounts())) this.set({ state }, count)
  },
})

new Gauge({
  name: 'billhook_database_up',
  help: 'Whether the database responds to this process within a second, accepts writes, and has every migration.',
  aggregator: 'min',
  registers: [registry],
  async collect() {
    this.set((await isDatabaseUsable()) ? 1 : 0)
  },
})

/** The status is null if the connection ended before the response began. */
export interface ServedRequest {
  readonly method: string
  /** The folder of the route, such as `/v1/orders/[id]`; null for any other path. */
  readonly route: string | null
  readonly path: string
  readonly status: number | null
  readonly seconds: number
}

const durations = new Histogram({
  name: 'billhook_http_request_duration_seconds',
  help:
    'Seconds until the complete response to a request, by method, route and status. The status is ' +
    '"none" if the connection ended before.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [registry],
})

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const knownSections = new Set([...hostedSections, 'admin', '_next'])

/** All label values come from fixed lists, so callers cannot create new labels. No label contains an id or a link. */
export function labelsOf({ method, route, path }: Pick<ServedRequest, 'method' | 'route' | 'path'>) {
  const section = path.split('/', 2)[1] ?? ''
  return {
    method: knownMethods.has(method) ? method : 'other',
    route: route ?? (knownSections.has(section) ? `/${section}/…` : path === '/' ? '/' : 'other'),
  }
}

export function countRequest({ status, seconds, ...asked }: ServedRequest): void {
  durations.observe({ ...labelsOf(asked), status: status === null ? 'none' : String(status) }, seconds)
}
