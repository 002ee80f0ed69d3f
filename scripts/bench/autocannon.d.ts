/** The part of autocannon 9 that the bench uses; the package has no types. */
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
    /** Responses that `verifyBody` refused. */
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
      /** Requests per second over all connections. Without it, as many as the server answers. */
      overallRate?: number
      requests: Sent[]
      verifyBody?: (body: string) => boolean
    },
    done: (error: Error | null, totals: Totals) => void,
  ): EventEmitter
}
