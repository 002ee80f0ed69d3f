/** The bundle has the version of the package; the sources have none. */
declare const VERSION: string | undefined

export const version: string = typeof VERSION === 'string' ? VERSION : '0.0.0'
