import { vi } from 'vitest'
import { registry } from '../providers/registry.ts'

/**
 * Adds a function that revokes mandates to the sandbox, which has no such function because it stores no mandates.
 * Returns the references that this function receives. `vi.restoreAllMocks()` removes the function.
 */
export function revokedAtProvider(): readonly string[] {
  const revoked: string[] = []
  const revokeMandate = async (_tenant: unknown, mandateRef: string) => void revoked.push(mandateRef)
  const providers = registry.providers.map((each) => (each.name === 'sandbox' ? { ...each, revokeMandate } : each))
  vi.spyOn(registry, 'providers', 'get').mockReturnValue(providers)
  vi.spyOn(registry, 'connected').mockReturnValue(providers.filter(({ name }) => name === 'sandbox'))
  return revoked
}
