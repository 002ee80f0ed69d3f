/** Declares the part of autocannon 9 that the benchmarks use, because the package has no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  export interface Sent {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
    setupRequest?: (request: Sent) => Sent
  }

  export interface Totals {
    /** Failed connections, including timeouts. */
    errors: number
    mismatches: number
    statusCodeStats: Record<string, { count: number }>
  }

  export default function autocannon(
    options: {
      url: string
      connections: number
      duration: number
      sampleInt: number
      /** Seconds. */
      timeout: number
      /** The number of requests per second over all connections. If the rate is omitted, each connection sends the next request after a response. */
      overallRate?: number
      requests: Sent[]
      verifyBody?: (body: string) => boolean
    },
    done: (error: Error | null, totals: Totals) => void,
  ): EventEmitter
}
