import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { portalSignInPage } from '@/e2e/fixtures/portal-pages.ts'
import messages from '@/messages/de.json' with { type: 'json' }
import { PortalSignIn } from './portal-sign-in.tsx'

const link = '<a class="[^"]*" href="\\?cancel">Verträge hier kündigen</a>'
const heading = '<h1[^>]*>Verträge hier kündigen</h1>'

it.each(
  (['form', 'invalid', 'sent', 'signed-out'] as const).flatMap((state) => [
    { state, cancels: false },
    { state, cancels: true },
  ]),
)(
  'in the state $state, the portal sign-in page either is the form for cancellations or links to this form (cancels: $cancels)',
  (props) => {
    const html = renderToStaticMarkup(
      <NextIntlClientProvider locale="de" messages={messages} timeZone="UTC">
        <PortalSignIn page={portalSignInPage('de')} {...props} />
      </NextIntlClientProvider>,
    )
    const found = [link, heading].filter((each) => new RegExp(each).test(html))
    expect(found).toHaveLength(1)
  },
)
