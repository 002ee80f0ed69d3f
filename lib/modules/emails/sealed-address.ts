import { seal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'

/**
 * This file encrypts the email address in the data of a task. The encryption depends on the task id (`key`), so that
 * the address can be decrypted only with the same task id.
 */

export const placeOf = (key: string): string => `tasks|${key}|email`

export const sealAddress = (email: string, key: string): string =>
  Buffer.from(seal(email, placeOf(key))).toString('base64')

/** Returns null if the key that encrypted the address is not configured. */
export const unsealAddress = (sealed: string, key: string): string | null =>
  unsealIfOpenable(Buffer.from(sealed, 'base64'), placeOf(key))
