import { describe, expect, it } from 'vitest'
import { includesScope, isKeyScope, keyScopes, scopesThatInclude } from './key-scope.ts'

describe('scopes of API keys', () => {
  it.each([
    ['full', ['full', 'no_refunds', 'read_only']],
    ['no_refunds', ['no_refunds', 'read_only']],
    ['read_only', ['read_only']],
  ] as const)('the scope %s includes the scopes %j', (scope, included) => {
    expect(keyScopes.filter((needed) => includesScope(scope, needed))).toEqual(included)
  })

  it.each([
    ['full', ['full']],
    ['no_refunds', ['no_refunds', 'full']],
    ['read_only', ['read_only', 'no_refunds', 'full']],
  ] as const)('an operation with the scope %s accepts keys with the scopes %j', (needed, scopes) => {
    expect(scopesThatInclude(needed)).toEqual(scopes)
  })

  it('the scopes of API keys are exactly full, no_refunds, and read_only', () => {
    expect([...keyScopes, 'constructor', 'FULL', ''].filter(isKeyScope)).toEqual(['full', 'no_refunds', 'read_only'])
  })
})
