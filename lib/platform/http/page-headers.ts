/**
 * The headers of every page and of the files that pages link to. The Content-Security-Policy of a page carries a nonce
 * and is set in `proxy.ts`.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Hosted links are secrets, so they are not sent to other sites.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex',
}
