import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { incomingTrace, traced } from '../platform/tracing.ts'
import { labelsOf, type ServedRequest } from './request-metrics.ts'

/** Routes without traces: probes would outnumber all other traces, and traces of static files are of no use. */
const untraced = new Set(['/livez', '/readyz', '/metrics', '/_next/…'])

/**
 * The root span is named by method and route, because a path contains ids and tokens. The span continues the caller's trace only if the operator sets
 * `OTEL_PROPAGATORS`.
 */
export async function tracedRequest(
  asked: Pick<ServedRequest, 'method' | 'route' | 'path'>,
  headers: IncomingHttpHeaders,
  response: ServerResponse,
  answer: () => Promise<void>,
): Promise<void> {
  const { method, route } = labelsOf(asked)
  if (untraced.has(route)) return answer()
  const attributes = { 'http.request.method': method, 'http.route': route }
  const parent = incomingTrace(headers)
  return traced(`${method} ${route}`, { kind: 'server', attributes, parent }, async (span) => {
    await answer()
    span.set({ 'http.response.status_code': response.statusCode })
    const requestId = response.getHeader('request-id')
    if (typeof requestId === 'string') span.set({ 'request.id': requestId })
    if (response.statusCode >= 500) span.fail(String(response.statusCode))
  })
}
