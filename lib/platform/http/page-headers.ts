/**
 * Headers of pages and their files. `proxy.ts` sets the Content-Security-Policy, which contains a new nonce for each
 * response.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The URL of a hosted page is a secret, so it must not be sent as a referrer.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex',
}
