import { ruleProblem } from '../../kernel/rule-problem.ts'
import { seal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { ShownSecret } from './page.ts'
import { isSigning, signsUntil } from './rules/previous-secret.ts'
import { secretHint } from './rules/secret-hint.ts'
import type { WebhookEndpoint } from './store.ts'

/** An endpoint has a current secret. For 24 hours after a change, the endpoint has the replaced secret too. Both secrets are stored encrypted. */

export const sealedAt = (id: string) => `webhook_endpoints|${id}|sealed_secret`
export const previousSealedAt = (id: string) => `webhook_endpoints|${id}|previous_secret`

export const sealSecret = (id: string, secret: string) => seal(secret, sealedAt(id))

/** Decrypts the current secret. Returns null if the key that encrypted the secret is not configured. */
const openSecret = ({ id, sealedSecret }: Pick<WebhookEndpoint, 'id' | 'sealedSecret'>): string | null =>
  unsealIfOpenable(sealedSecret, sealedAt(id))

export const unreadableSecret = ruleProblem('secret_unreadable')

export type Signing = Pick<WebhookEndpoint, 'id' | 'sealedSecret' | 'previousSecret'>

/**
 * Returns the secrets that sign deliveries, the current secret first. Returns null if the key that encrypted the
 * current secret is not configured.
 */
export function signingSecrets(endpoint: Signing, now: Date): readonly string[] | null {
  const current = openSecret(endpoint)
  const { id, previousSecret } = endpoint
  const replaced = isSigning(previousSecret, now) ? unsealIfOpenable(previousSecret.sealed, previousSealedAt(id)) : null
  return current === null ? null : [current, ...(replaced === null ? [] : [replaced])]
}

/**
 * Replaces the secret. Deliveries are signed with the new and the replaced secret for 24 hours. If the replaced secret
 * cannot be decrypted, deliveries are signed only with the new secret.
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

export const shownSecrets = (endpoint: Signing): { current: ShownSecret; previous: ShownSecret | null } => ({
  current: shownSecret(openSecret(endpoint)),
  previous:
    endpoint.previousSecret &&
    shownSecret(unsealIfOpenable(endpoint.previousSecret.sealed, previousSealedAt(endpoint.id))),
})
