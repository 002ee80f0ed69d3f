import { seal, unseal } from '../../platform/crypto/sealed.ts'

/** The key with which the address in a task that emails a link is encrypted. */

const placeOf = (key: string): string => `tasks|${key}|email`

export const sealAddress = (email: string, key: string): string =>
  Buffer.from(seal(email, placeOf(key))).toString('base64')

export const unsealAddress = (sealed: string, key: string): string =>
  unseal(Buffer.from(sealed, 'base64'), placeOf(key))
