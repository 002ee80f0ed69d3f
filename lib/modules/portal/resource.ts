import type { z } from 'zod'
import { pageUrl } from '../../platform/http/links.ts'
import type { PortalSessionShape } from './contract.ts'
import { portalLinkPath } from './link.ts'

/**
 * The result that is stored under an idempotency key. It omits the secret URL, which a retry derives again from the id.
 */
export interface CreatedSession {
  readonly id: string
  readonly expiresAt: string
  readonly returnUrl: string | null
}

export const portalSessionResource = ({
  id,
  expiresAt,
  returnUrl,
}: CreatedSession): z.infer<typeof PortalSessionShape> => ({ url: pageUrl(portalLinkPath(id)), expiresAt, returnUrl })
