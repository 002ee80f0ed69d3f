interface PagePolicy {
  readonly nonce: string
  /** The origins to which a form on the page may be submitted or redirected, in addition to our origin. */
  readonly formTargets: readonly string[]
  readonly isDevelopment: boolean
}

export function contentSecurityPolicy({ nonce, formTargets, isDevelopment }: PagePolicy): string {
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': [`'nonce-${nonce}'`, "'strict-dynamic'", ...(isDevelopment ? ["'unsafe-eval'"] : [])],
    'style-src': ["'self'", isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'form-action': ["'self'", ...formTargets],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}
