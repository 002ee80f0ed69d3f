import { realNow } from '../../platform/clock/clock.ts'
import { serviceSignature } from '../../platform/crypto/signing.ts'

/** The signature of a body, as the header has it: of this moment of real time, even if the storefront's test clock is ahead. */
export const signatureNow = (secret: string, body: string): string =>
  serviceSignature(secret, Math.floor(realNow().getTime() / 1000), body)
