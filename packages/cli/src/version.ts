/** The bundler defines `VERSION`. It is undefined if the sources run unbundled. */
declare const VERSION: string | undefined

export const version: string = typeof VERSION === 'string' ? VERSION : '0.0.0'
