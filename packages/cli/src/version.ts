/** The bundler defines `VERSION`. It is not defined when the sources run without the bundle. */
declare const VERSION: string | undefined

export const version: string = typeof VERSION === 'string' ? VERSION : '0.0.0'
