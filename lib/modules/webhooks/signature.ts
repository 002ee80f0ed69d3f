import { realNow } from '../../platform/clock/clock.ts'
import { timedSignature } from '../../platform/crypto/signing.ts'

/**
 * The value of the header `Service-Signature` of a webhook, with a signature for each secret of its endpoint. Its time is real
 * time, even if the storefront's test clock is ahead.
 */
export const signatureNow = (secrets: readonly string[], body: string): string =>
  timedSignature(secrets, Math.floor(realNow().getTime() / 1000), body)
