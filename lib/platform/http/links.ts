import { config } from '../config.ts'

/** Absolute links, from the configured public base URL and never from a request's Host header. */
export const apiLink = (path: string) => ({ href: `${config().publicBaseUrl}/v1${path}`, type: 'application/json' })

export const pageUrl = (path: string): string => `${config().publicBaseUrl}${path}`
export const pageLink = (path: string) => ({ href: pageUrl(path), type: 'text/html' })
