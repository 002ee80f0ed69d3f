// Renders pages to static HTML for `screenshots.tsx` and `e2e/narrow.spec.ts`.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { compile } from 'tailwindcss'
import { reference } from '../app/(docs)/docs/reference.ts'
import { BillingUpdate } from '../components/billing-update/billing-update-page.tsx'
import { Checkout } from '../components/checkout/checkout-page.tsx'
import { PaymentLink } from '../components/checkout/payment-link.tsx'
import { DocsOverview, NounPage } from '../components/docs/docs-page.tsx'
import { FrontPage } from '../components/front-page.tsx'
import { InvoiceDocumentView } from '../components/invoice/invoice-document.tsx'
import { InvoiceUpdate } from '../components/invoice-update/invoice-update-page.tsx'
import { TestPayment } from '../components/payment/test-payment.tsx'
import { EmailChange } from '../components/portal/email-change.tsx'
import { PortalCancel } from '../components/portal/portal-cancel.tsx'
import { PortalChange } from '../components/portal/portal-change.tsx'
import { PortalDetails } from '../components/portal/portal-details.tsx'
import { PortalDocuments } from '../components/portal/portal-documents.tsx'
import { PortalEmail } from '../components/portal/portal-email.tsx'
import { PortalHome } from '../components/portal/portal-home.tsx'
import { PortalLink } from '../components/portal/portal-link.tsx'
import { PortalShell } from '../components/portal/portal-shell.tsx'
import { PortalSignIn } from '../components/portal/portal-sign-in.tsx'
import { PortalSubscription } from '../components/portal/portal-subscription.tsx'
import { SignedOut } from '../components/portal/signed-out.tsx'
import { HostedDocument } from '../components/ui/document.tsx'
import { DownPage, NotFoundPage } from '../components/ui/unreachable-pages.tsx'
import { Withdrawal } from '../components/withdrawal/withdrawal.tsx'
import {
  billingPages,
  checkoutPages,
  invoicePages,
  invoiceUpdatePages,
  testPaymentPages,
} from '../e2e/fixtures/hosted-pages.ts'
import { paymentLinkPages } from '../e2e/fixtures/payment-link-pages.ts'
import {
  portalCancelPages,
  portalChangePages,
  portalDetailsPages,
  portalDocumentsPage,
  portalEmailChangePages,
  portalEmailPages,
  portalEndedPage,
  portalHomePages,
  portalLinkPages,
  portalSignInPage,
  portalSubscriptionPages,
} from '../e2e/fixtures/portal-pages.ts'
import { withdrawalPages } from '../e2e/fixtures/withdrawal-pages.ts'
import type { Locale } from '../lib/kernel/locale.ts'
import type { BrandView } from '../lib/modules/brand/page.ts'
import { invoiceDocumentOf } from '../lib/modules/invoices/invoice-document.ts'
import type { PortalFrame } from '../lib/modules/portal/page.ts'
import { translator } from '../lib/platform/translate.ts'
import { root } from './environment.mjs'

export interface Drawn {
  readonly brand?: BrandView
  render(locale: Locale): ReactNode | Promise<ReactNode>
}

const noPicture = { light: 'data:,', dark: 'data:,' }
const pictures = { checkout: noPicture, admin: noPicture }

export function everyPage(): Map<string, Drawn> {
  const pages = new Map<string, Drawn>([
    ['not-found', { render: () => <NotFoundPage /> }],
    ['down', { render: () => <DownPage /> }],
    ['front', { render: () => <FrontPage pictures={pictures} status="ok" version="1.0.0" /> }],
    ['docs', { render: () => <DocsOverview baseUrl="https://pay.example" reference={reference()} /> }],
  ])
  for (const noun of reference().nouns)
    pages.set(`docs-${noun.slug}`, { render: () => <NounPage noun={noun} reference={reference()} /> })
  function add<P extends object>(
    kind: string,
    states: Readonly<Record<string, (locale: Locale, token: string) => P>>,
    show: (page: P, locale: Locale) => ReactNode | Promise<ReactNode>,
  ) {
    for (const [state, page] of Object.entries(states)) {
      const name = `${kind}-${state.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
      const { brand } = page('en', name) as { brand?: BrandView }
      pages.set(name, { ...(brand && { brand }), render: (locale) => show(page(locale, name), locale) })
    }
  }
  add('checkout', checkoutPages, (page) => <Checkout page={page} />)
  add('payment-link', paymentLinkPages, (page) => <PaymentLink page={page} />)
  add('billing-update', billingPages, (page) => <BillingUpdate page={page} />)
  add('invoice-update', invoiceUpdatePages, (page) => <InvoiceUpdate page={page} />)
  add('withdrawal', withdrawalPages, (page) => <Withdrawal page={page} />)
  add('test-payment', testPaymentPages, (page) => <TestPayment page={page} />)
  add('invoice', invoicePages, async (page, locale) => (
    <InvoiceDocumentView document={invoiceDocumentOf(page, await translator(locale))} />
  ))
  const shell = (frame: PortalFrame, children: ReactNode) => <PortalShell frame={frame}>{children}</PortalShell>
  const one = <P,>(page: (locale: Locale) => P) => ({ page })
  add('portal-link', portalLinkPages, (page) => <PortalLink page={page} />)
  for (const state of ['form', 'invalid', 'sent', 'signed-out'] as const)
    add(`portal-sign-in-${state}`, one(portalSignInPage), (page) => <PortalSignIn page={page} state={state} />)
  add('portal-ended', one(portalEndedPage), (page) => <SignedOut page={page} />)
  add('portal-home', portalHomePages, (page) => shell(page, <PortalHome notice="updated" page={page} />))
  add('portal-subscription', portalSubscriptionPages, (page) =>
    shell(page, <PortalSubscription notice={null} page={page} />),
  )
  add('portal-change', portalChangePages, (page) => shell(page, <PortalChange page={page} />))
  add('portal-details', portalDetailsPages, (page) => shell(page, <PortalDetails notice={null} page={page} />))
  add('portal-cancel', portalCancelPages, (page) => shell(page, <PortalCancel page={page} />))
  add('portal-email', portalEmailPages, (page) => shell(page, <PortalEmail notice="emailSent" page={page} />))
  add('portal-email-change', portalEmailChangePages, (page) => <EmailChange page={page} />)
  add('portal-documents', one(portalDocumentsPage), (page) => shell(page, <PortalDocuments page={page} />))
  return pages
}

export async function documentOf({ brand, render }: Drawn, locale: Locale, styles: string): Promise<string> {
  const { default: messages } = await import(`../messages/${locale}.json`)
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={messages} timeZone="UTC">
      <HostedDocument brand={brand ?? null} locale={locale}>
        {await render(locale)}
      </HostedDocument>
    </NextIntlClientProvider>,
  )
  const head = `<meta name="viewport" content="width=device-width"><style>${styles}</style>`
  const whole = html.includes('<head>') ? html : html.replace('<body>', '<head></head><body>')
  return `<!doctype html>${whole.replace('<head>', () => `<head>${head}`)}`
}

export async function stylesOfPages(): Promise<string> {
  const resolve = createRequire(import.meta.url).resolve
  const loadStylesheet = async (id: string, base: string) => {
    const file = resolve(id === 'tailwindcss' ? 'tailwindcss/index.css' : id)
    return { path: file, base, content: readFileSync(file, 'utf8') }
  }
  const { build } = await compile(readFileSync(path.join(root, 'app/globals.css'), 'utf8'), { loadStylesheet })
  const components = path.join(root, 'components')
  const sources = readdirSync(components, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(components, file), 'utf8'))
  return build([...new Set(sources.join(' ').split(/[\s"'`]+/))])
}
