import { realNow } from '../../platform/clock/clock.ts'
import { timedSignature } from '../../platform/crypto/signing.ts'

/** Returns the header `Service-Signature`, with a signature for each secret. Its timestamp is real time, even if the storefront's test clock is ahead. */
export const webhookSignature = (secrets: readonly string[], body: string): string =>
  timedSignature(secrets, Math.floor(realNow().getTime() / 1000), body)
