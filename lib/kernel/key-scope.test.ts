import { describe, expect, it } from 'vitest'
import { includesScope, isKeyScope, keyScopes, scopesThatInclude } from './key-scope.ts'

describe('the scope of an API key', () => {
  it.each([
    ['full', ['full', 'no_refunds', 'read_only']],
    ['no_refunds', ['no_refunds', 'read_only']],
    ['read_only', ['read_only']],
  ] as const)('an API key with the scope %s includes the scopes %j', (scope, included) => {
    expect(keyScopes.filter((needed) => includesScope(scope, needed))).toEqual(included)
  })

  it.each([
    ['full', ['full']],
    ['no_refunds', ['no_refunds', 'full']],
    ['read_only', ['read_only', 'no_refunds', 'full']],
  ] as const)('the scope %s is included in the scopes %j, narrowest first', (needed, scopes) => {
    expect(scopesThatInclude(needed)).toEqual(scopes)
  })

  it('an API key has one of three scopes', () => {
    expect([...keyScopes, 'constructor', 'FULL', ''].filter(isKeyScope)).toEqual(['full', 'no_refunds', 'read_only'])
  })
})
