import { Refusal } from '../../kernel/refusal.ts'
import { realNow } from '../clock/clock.ts'
import { config } from '../config.ts'
import { newId } from '../crypto/identity.ts'
import { admitAnybody, admitNotice } from './admission.ts'
import { refuse, toResponse } from './answer.ts'
import { jsonDocument } from './document.ts'

type Keyless = (request: Request, headers: Headers, params: Record<string, string>) => Promise<Response>

/**
 * Builds a route handler for calls without a key, with the headers of every response. `admit` limits the calls by
 * address.
 */
const limitedBy =
  (admit: typeof admitAnybody, always: Readonly<Record<string, string>> = {}) =>
  (answer: Keyless) =>
  async (request: Request, context?: { params: Promise<Record<string, string>> }): Promise<Response> => {
    const requestId = newId('request_', realNow())
    const headers = new Headers({ 'Request-Id': requestId, 'Cache-Control': 'no-store', ...always })
    try {
      await admit(request, headers)
      return await answer(request, headers, (await context?.params) ?? {})
    } catch (error) {
      return toResponse(refuse(error, requestId, headers, 'none'), headers)
    }
  }

/** A route handler for calls that need no key. */
export const keyless = limitedBy(admitAnybody)

/** A route handler for the notices of payment and mail providers, which have a separate limit. */
export const forNotices = limitedBy(admitNotice)

const keylessForPages = limitedBy(admitAnybody, { 'Access-Control-Allow-Origin': '*' })

/** Serves a public JSON document that is the same for every client. Pages of every origin can read it. */
export const publicDocument = (make: () => unknown) => keylessForPages(jsonDocument(make))

/** The response to a path under `/v1` without a route: 404, or 405 with the methods that the path accepts. */
export const notRouted = (request: Request, allow: string[]): Promise<Response> =>
  keyless(async (_, headers) => {
    if (allow.length === 0) {
      const details = { openapi: `${config().publicBaseUrl}/v1/openapi.json` }
      throw new Refusal('endpoint_not_found', {}, { details })
    }
    headers.set('Allow', allow.join(', '))
    throw new Refusal('method_not_allowed')
  })(request)

/** The response to a caller who has not read the earlier responses: 429. */
export function tooMuchUnread(): Response {
  const requestId = newId('request_', realNow())
  const headers = new Headers({ 'Request-Id': requestId, 'Cache-Control': 'no-store' })
  const refusal = new Refusal('rate_limited', {}, { retryAfterSeconds: 1 })
  return toResponse(refuse(refusal, requestId, headers, 'none'), headers)
}
