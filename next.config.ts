import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'
import { pageHeaders } from './lib/platform/http/page-headers.ts'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` checks the types, tests included. A start does not wait for them.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Each hosted page has its own root layout, in the language of its record, so an unmatched path has no layout:
  // `app/global-not-found.tsx` responds. A page is loaded at its first request, which takes a fifth of a second once.
  // Loading all pages at the start took two more seconds, and 60 MB that a process without pages never uses.
  experimental: { globalNotFound: true, preloadEntriesOnStart: false },
  // If these were bundled, they would lose their native parts, data files, or worker threads, or would exist once per
  // bundle.
  serverExternalPackages: ['pg', 'inngest', 'pino', 'nodemailer', 'pdfkit', 'fontkit', 'harfbuzzjs'],
  rewrites: async () => [{ source: '/docs/:page(.+)\\.md', destination: '/docs/markdown/:page' }],
  headers: async () => [
    { source: '/:path*', headers: Object.entries(pageHeaders).map(([key, value]) => ({ key, value })) },
  ],
}

export default createNextIntlPlugin('./lib/platform/i18n.ts')(config)
