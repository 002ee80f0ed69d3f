import { submitPortalLink } from '../workflows/portal-sign-in/submit-sign-in.ts'
import { send } from './api.ts'
import { tokenOf } from './shop.ts'
import type { Scenario } from './subscription-scenario.ts'

export async function portalCookies(
  { key, customerId }: Pick<Scenario, 'key' | 'customerId'>,
  body: object = {},
): Promise<string> {
  const { body: session } = await send(`POST /v1/customers/${customerId}/portal-sessions`, { key, body })
  const next = await submitPortalLink(tokenOf(session.url), new URLSearchParams())
  return next?.cookie?.split(';')[0] ?? ''
}

export const portalVisitor = (cookies: string | null) => ({
  acceptLanguage: 'en',
  header: (name: string) => (name === 'cookie' ? cookies : null),
})
