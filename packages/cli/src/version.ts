/** The bundler defines `VERSION`. Unbundled sources run without it. */
declare const VERSION: string | undefined

export const version: string = typeof VERSION === 'string' ? VERSION : '0.0.0'
