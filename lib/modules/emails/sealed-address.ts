import { seal, unseal } from '../../platform/crypto/sealed.ts'

/** The address in the data of a task that emails a link, encrypted and bound to the key of the task. */

const placeOf = (key: string): string => `tasks|${key}|email`

export const sealAddress = (email: string, key: string): string =>
  Buffer.from(seal(email, placeOf(key))).toString('base64')

export const unsealAddress = (sealed: string, key: string): string =>
  unseal(Buffer.from(sealed, 'base64'), placeOf(key))
