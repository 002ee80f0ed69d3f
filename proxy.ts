import { type NextRequest, NextResponse } from 'next/server'
import { billingOrigins, billingStatus } from '@/lib/billing/hosted.ts'
import { checkoutOrigins, checkoutStatus } from '@/lib/checkouts/hosted.ts'
import { correctionStatus } from '@/lib/corrections/hosted.ts'
import { invoiceStatus } from '@/lib/invoices/hosted.ts'
import { paymentOrigins, paymentStatus } from '@/lib/payments/hosted.ts'

/** The hosted pages alone: `/v1`, the assets and the admin area never come here. */
export const config = {
  matcher: ['/checkout/:token', '/pay/:token', '/invoices/:token', '/billing/:token', '/invoice-details/:token'],
}

const records = {
  checkout: { status: checkoutStatus, origins: checkoutOrigins },
  pay: { status: paymentStatus, origins: paymentOrigins },
  invoices: { status: invoiceStatus, origins: async () => [] },
  billing: { status: billingStatus, origins: billingOrigins },
  'invoice-details': { status: correctionStatus, origins: async () => [] },
}

/**
 * Sets what a page cannot set itself: its status (404 unknown, 410 over, 503 when nothing can be looked up; the page
 * says the same in words) and a Content-Security-Policy with a fresh nonce, which Next puts on its own scripts.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const [, page = '', token = ''] = request.nextUrl.pathname.split('/')
  const record = records[page as keyof typeof records]
  const [status, origins] = await Promise.all([record.status(token), record.origins(token)]).catch(
    () => [503, []] as const,
  )
  const policy = contentSecurityPolicy(crypto.randomUUID(), origins ?? [])
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  return NextResponse.next({
    status,
    request: { headers },
    headers: { 'content-security-policy': policy, 'cache-control': 'no-store' },
  })
}

function contentSecurityPolicy(nonce: string, shopOrigins: readonly string[]): string {
  const development = process.env.NODE_ENV === 'development'
  const plainHttp = shopOrigins.filter((origin) => origin.startsWith('http:'))
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': [`'nonce-${nonce}'`, "'strict-dynamic'", ...(development ? ["'unsafe-eval'"] : [])],
    'style-src': ["'self'", development ? "'unsafe-inline'" : `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    // Chromium holds every redirect after a POST against this list, also those that the shop makes itself after we
    // sent the buyer back (to www., to its log-in): with the shop's origins alone such buyers would be stuck here.
    'form-action': ["'self'", 'https:', ...plainHttp],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}
