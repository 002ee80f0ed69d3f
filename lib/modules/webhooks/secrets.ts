import { seal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { ShownSecret } from './page.ts'
import { isSigning, signsUntil } from './rules/previous-secret.ts'
import { secretHint } from './rules/secret-hint.ts'
import type { WebhookEndpoint } from './store.ts'

/** The secrets of an endpoint: the current one, and for a day the replaced one. */

export const sealedAt = (id: string) => `webhook_endpoints|${id}|sealed_secret`
export const previousSealedAt = (id: string) => `webhook_endpoints|${id}|previous_secret`

export const sealSecret = (id: string, secret: string) => seal(secret, sealedAt(id))

/** The secret of an endpoint; null if it was sealed with a key that is not set. */
const openSecret = ({ id, sealedSecret }: Pick<WebhookEndpoint, 'id' | 'sealedSecret'>): string | null =>
  unsealIfOpenable(sealedSecret, sealedAt(id))

/** Shown to the owner of an endpoint if its secret cannot be decrypted. */
export const unopenedSecret = 'It was not sent: the secret of the endpoint cannot be opened. Set it again.'

export type Signing = Pick<WebhookEndpoint, 'id' | 'sealedSecret' | 'previousSecret'>

/**
 * The secrets that sign at a time (real time), current one first; null if the current one was encrypted with a key that
 * is not set.
 */
export function signingSecrets(endpoint: Signing, now: Date): readonly string[] | null {
  const current = openSecret(endpoint)
  const { id, previousSecret } = endpoint
  const replaced = isSigning(previousSecret, now) ? unsealIfOpenable(previousSecret.sealed, previousSealedAt(id)) : null
  return current === null ? null : [current, ...(replaced === null ? [] : [replaced])]
}

/**
 * The secrets of an endpoint after a change to `secret`. The replaced secret keeps signing for a while, unless it
 * cannot be decrypted.
 */
export function changedSecret(endpoint: Signing, secret: string, now: Date): Omit<Signing, 'id'> {
  const replaced = openSecret(endpoint)
  if (replaced === secret) return endpoint
  return {
    sealedSecret: sealSecret(endpoint.id, secret),
    previousSecret:
      replaced === null ? null : { sealed: seal(replaced, previousSealedAt(endpoint.id)), until: signsUntil(now) },
  }
}

const shownSecret = (secret: string | null): ShownSecret => ({
  hint: secret === null ? null : secretHint(secret),
  isReadable: secret !== null,
})

/** The secrets of an endpoint for a page: the current secret, and the replaced secret if there is one. */
export const shownSecrets = (endpoint: Signing): { current: ShownSecret; previous: ShownSecret | null } => ({
  current: shownSecret(openSecret(endpoint)),
  previous:
    endpoint.previousSecret &&
    shownSecret(unsealIfOpenable(endpoint.previousSecret.sealed, previousSealedAt(endpoint.id))),
})
