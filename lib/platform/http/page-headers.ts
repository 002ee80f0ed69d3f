/** Headers of pages and their files. The Content-Security-Policy has a nonce, so `proxy.ts` sets it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The URL of a hosted page is a secret, so it must not be sent as a referrer.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex',
}
