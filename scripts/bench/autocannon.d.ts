/** The part of autocannon 9 that the bench uses; it ships no types. */
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
    /** Connections that failed, time-outs included. */
    errors: number
    /** Answers that `verifyBody` did not accept. */
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
      /** Requests a second over all connections; as many as are answered without it. */
      overallRate?: number
      requests: Sent[]
      verifyBody?: (body: string) => boolean
    },
    done: (error: Error | null, totals: Totals) => void,
  ): EventEmitter
}
