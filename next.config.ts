import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'
import { pageHeaders } from './lib/platform/http/page-headers.ts'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` holds the types, tests included; a start need not wait for it.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Each hosted page is a root layout of its own (its language is its record's), so no layout is left for a path that
  // matches nothing: `app/global-not-found.tsx` answers there.
  // A page is loaded when it is first asked for, which takes a fifth of a second once. To load them all as the process starts made a start
  // take two seconds longer, and sixty megabytes that a process without pages never uses.
  experimental: { globalNotFound: true, preloadEntriesOnStart: false },
  // Bundled, they would lose their native parts, their data files, their worker threads or their identity between bundles.
  serverExternalPackages: ['pg', 'inngest', 'pino', 'nodemailer', 'pdfkit', 'fontkit', 'harfbuzzjs'],
  headers: async () => [
    { source: '/:path*', headers: Object.entries(pageHeaders).map(([key, value]) => ({ key, value })) },
  ],
}

export default createNextIntlPlugin('./lib/platform/i18n.ts')(config)
