/** The scopes of API keys, widest first. Each scope includes the scopes after it. */
export const keyScopes = ['full', 'no_refunds', 'read_only'] as const
export type KeyScope = (typeof keyScopes)[number]

export const isKeyScope = (text: string): text is KeyScope => (keyScopes as readonly string[]).includes(text)

/** The scopes of keys that may use an operation with the scope `needed`, narrowest first. */
export const scopesThatInclude = (needed: KeyScope): KeyScope[] =>
  keyScopes.slice(0, keyScopes.indexOf(needed) + 1).reverse()

export const includesScope = (scope: KeyScope, needed: KeyScope): boolean => scopesThatInclude(needed).includes(scope)
