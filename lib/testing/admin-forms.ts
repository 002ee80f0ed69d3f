import { auditLog } from '../modules/audit/operations.ts'
import type { Shop } from './shop.ts'

export const at = ({ storefrontId }: Shop, mode = 'test') => ({ mode, storefrontId })
export const key = () => crypto.randomUUID()
export const form = (fields: Record<string, string>) => new URLSearchParams({ key: key(), ...fields })
export const newestEntry = async () => (await auditLog(null, 1))[0]

export type Next = { readonly redirectTo: string; readonly cookie?: string } | null
