interface PagePolicy {
  /** The nonce of the page's own scripts and styles. */
  readonly nonce: string
  /** The sources that the page's forms may lead to, besides its own origin. */
  readonly formTargets: readonly string[]
  readonly isDevelopment: boolean
}

/** The Content-Security-Policy of a page: it loads and sends nothing that is not listed here. */
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
