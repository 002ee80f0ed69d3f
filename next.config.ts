import type { NextConfig } from 'next'
import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'
import { pageHeaders } from './lib/platform/http/page-headers.ts'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` already checks types, so the build skips this check.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Hosted pages have root layouts of their own, so an unmatched path has no layout and gets `app/global-not-found.tsx`.
  // Loading all pages at startup would take two seconds and 60 MB. So each page is loaded at its first request, which takes 0.2 seconds.
  experimental: { globalNotFound: true, preloadEntriesOnStart: false },
  // These packages are not bundled, because bundled packages lose their native code, data files, or worker threads, or
  // exist once per bundle.
  serverExternalPackages: ['pg', 'inngest', 'pino', 'nodemailer', 'pdfkit', 'fontkit', 'harfbuzzjs'],
  rewrites: async () => [
    { source: '/docs.md', destination: '/docs/markdown/index' },
    { source: '/docs/:page(.+)\\.md', destination: '/docs/markdown/:page' },
  ],
  headers: async () => [
    { source: '/:path*', headers: Object.entries(pageHeaders).map(([key, value]) => ({ key, value })) },
  ],
}

/**
 * Only the build needs the next-intl plugin. The server does not import the plugin, because the plugin loads a
 * compiler.
 */
export default async (phase: string): Promise<NextConfig> => {
  if (phase === PHASE_PRODUCTION_SERVER) return config
  const { default: createNextIntlPlugin } = await import('next-intl/plugin')
  return createNextIntlPlugin('./lib/platform/i18n.ts')(config)
}
