import { config } from '../config.ts'

/** Absolute links use the configured base URL, never the Host header. */
export const apiLink = (path: string) => ({ href: `${config().publicBaseUrl}/v1${path}`, type: 'application/json' })

export const pageUrl = (path: string): string => `${config().publicBaseUrl}${path}`
export const pageLink = (path: string) => ({ href: pageUrl(path), type: 'text/html' })
