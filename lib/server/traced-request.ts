import type { ServerResponse } from 'node:http'
import { traced } from '../platform/tracing.ts'
import { labelsOf, type ServedRequest } from './request-metrics.ts'

/** What asks whether the service lives would be most of what is recorded, and files are nobody's trace. */
const untraced = new Set(['/livez', '/readyz', '/metrics', '/_next/…'])

/**
 * Answers a request as the root of a trace, named by its method and route: paths have ids and links in them. A
 * `traceparent` of the caller is not read, since it would decide what is recorded here.
 */
export async function tracedRequest(
  asked: Pick<ServedRequest, 'method' | 'route' | 'path'>,
  response: ServerResponse,
  answer: () => Promise<void>,
): Promise<void> {
  const { method, route } = labelsOf(asked)
  if (untraced.has(route)) return answer()
  const attributes = { 'http.request.method': method, 'http.route': route }
  return traced(`${method} ${route}`, { kind: 'server', attributes, parent: null }, async (span) => {
    await answer()
    span.set({ 'http.response.status_code': response.statusCode })
    const requestId = response.getHeader('request-id')
    if (typeof requestId === 'string') span.set({ 'request.id': requestId })
    if (response.statusCode >= 500) span.fail(String(response.statusCode))
  })
}
