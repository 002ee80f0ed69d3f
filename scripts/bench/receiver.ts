// A merchant's webhook receiver, which records when the first attempt of each event arrives.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from './program.ts'

export interface Arrival {
  readonly eventId: string
  /** Milliseconds since 1970, with microsecond precision. */
  readonly at: number
}

/** `listen` returns the port. `after` skips that number of arrivals, waits for one more arrival, and returns the new arrivals. */
export type Question = 'listen' | { readonly after: number }

const arrivals: Arrival[] = []
const seen = new Set<string>()
let reportArrival = () => {}

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now()
  const eventId = String(request.headers['service-event-id'])
  request.resume().on('end', () => response.writeHead(200).end())
  if (seen.has(eventId)) return
  seen.add(eventId)
  arrivals.push({ eventId, at })
  reportArrival()
})

answer(async (question: Question): Promise<number | Arrival[]> => {
  if (question === 'listen') {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  if (arrivals.length <= question.after) {
    await new Promise<void>((resolve) => {
      reportArrival = resolve
    })
  }
  return arrivals.slice(question.after)
})
