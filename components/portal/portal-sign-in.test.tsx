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
  'the portal sign-in page shows either the heading of the cancellation form or a link to this form (state $state, cancels $cancels)',
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
