import { seal, unseal } from '../../platform/crypto/sealed.ts'

/** Encrypts the email address in the data of a task, so that the address can be decrypted only with the same task id. */

const placeOf = (key: string): string => `tasks|${key}|email`

export const sealAddress = (email: string, key: string): string =>
  Buffer.from(seal(email, placeOf(key))).toString('base64')

export const unsealAddress = (sealed: string, key: string): string =>
  unseal(Buffer.from(sealed, 'base64'), placeOf(key))
