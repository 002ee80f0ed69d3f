/** What an API key may do, the widest scope first: each scope includes the scopes after it. */
export const keyScopes = ['full', 'no_refunds', 'read_only'] as const
export type KeyScope = (typeof keyScopes)[number]

export const isKeyScope = (text: string): text is KeyScope => (keyScopes as readonly string[]).includes(text)

/** The scopes of the keys that may use an operation which needs this scope, the narrowest first. */
export const scopesThatInclude = (needed: KeyScope): KeyScope[] =>
  keyScopes.slice(0, keyScopes.indexOf(needed) + 1).reverse()

export const includesScope = (scope: KeyScope, needed: KeyScope): boolean => scopesThatInclude(needed).includes(scope)
