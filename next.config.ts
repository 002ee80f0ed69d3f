import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'

/** On every page. The hosted pages' Content-Security-Policy carries a nonce and is set in `proxy.ts`. */
const headers = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  // Hosted links are secrets: no other site learns them.
  { key: 'Referrer-Policy', value: 'no-referrer' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
  { key: 'X-Robots-Tag', value: 'noindex' },
]

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` holds the types, tests included; a start need not wait for it.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Each hosted page is a root layout of its own (its language is its record's), so no layout is left for a path that
  // matches nothing: `app/global-not-found.tsx` answers there.
  experimental: { globalNotFound: true },
  // Bundled, they would lose their native parts, their data files, their worker threads or their identity between bundles.
  serverExternalPackages: [
    'pg',
    '@prisma/client',
    '@prisma/adapter-pg',
    'inngest',
    'pino',
    'undici',
    'nodemailer',
    'pdfkit',
  ],
  // Whoever opens the printed address is a developer: the interface describes itself.
  redirects: async () => [{ source: '/', destination: '/v1/openapi.json', permanent: false }],
  headers: async () => [{ source: '/:path*', headers }],
}

export default createNextIntlPlugin('./lib/platform/i18n.ts')(config)
