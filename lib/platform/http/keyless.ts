import { Refusal } from '../../kernel/refusal.ts'
import { realNow } from '../clock/clock.ts'
import { config } from '../config.ts'
import { newId } from '../crypto/identity.ts'
import { admitAnybody, admitNotice } from './admission.ts'
import { refuse, toResponse } from './answer.ts'
import { jsonDocument } from './document.ts'

type Keyless = (request: Request, headers: Headers, params: Record<string, string>) => Promise<Response>

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

export const keyless = limitedBy(admitAnybody)

export const forNotices = limitedBy(admitNotice)

const keylessForPages = limitedBy(admitAnybody, { 'Access-Control-Allow-Origin': '*' })

export const publicDocument = (make: () => unknown) => keylessForPages(jsonDocument(make))

export const notRouted = (request: Request, allow: string[]): Promise<Response> =>
  keyless(async (_, headers) => {
    if (allow.length === 0) {
      const details = { openapi: `${config().publicBaseUrl}/v1/openapi.json` }
      throw new Refusal('endpoint_not_found', {}, { details })
    }
    headers.set('Allow', allow.join(', '))
    throw new Refusal('method_not_allowed')
  })(request)

export function tooMuchUnread(): Response {
  const requestId = newId('request_', realNow())
  const headers = new Headers({ 'Request-Id': requestId, 'Cache-Control': 'no-store' })
  const refusal = new Refusal('rate_limited', {}, { retryAfterSeconds: 1 })
  return toResponse(refuse(refusal, requestId, headers, 'none'), headers)
}
