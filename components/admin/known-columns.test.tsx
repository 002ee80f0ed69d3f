import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { adminOrder, deliveryPage } from '@/e2e/fixtures/admin-pages.ts'
import type { EmailRow } from '@/lib/modules/emails/page.ts'
import { DeliveriesAbout, DeliveryTable } from './deliveries.tsx'
import { EmailTable } from './emails.tsx'
import { OrderTable } from './orders.tsx'

const html = renderToStaticMarkup

test('the order list of one customer names the items, and every other order list names the customer', () => {
  const orders = [adminOrder]
  const link = (text: string) => `<a class="row-link" href="/orders/${adminOrder.id}"><bdi>${text}</bdi>`
  const mixed = html(<OrderTable orders={orders} path="" />)
  expect(mixed).toContain(link('Anna Schmidt'))
  const own = html(<OrderTable isOfCustomer orders={orders} path="" />)
  expect(own).toContain(link('Subscrição profissional + 1'))
  expect(own).not.toContain('Anna Schmidt')
})

test('the email list on a customer’s page shows addresses unless all emails were sent to the customer’s own address', () => {
  const email: EmailRow = {
    id: 'email_1',
    kind: 'receipt',
    to: 'anna@example.com',
    locale: 'de',
    status: 'sent',
    createdAt: '2026-11-22T10:00:00Z',
    isResend: false,
    returned: null,
  }
  const shown = (...emails: EmailRow[]) => html(<EmailTable emails={emails} knownAddress="anna@example.com" path="" />)
  expect(shown(email)).not.toContain('anna@example.com')
  expect(shown(email, { ...email, id: 'email_2', to: 'owner@example.com' })).toContain('anna@example.com')
})

test('a list of deliveries omits the object, event, or endpoint that the page already names', () => {
  const { entityId, endpointUrl, eventName } = deliveryPage
  const about = html(<DeliveriesAbout deliveries={[deliveryPage]} objectId={entityId} path="" />)
  expect(about).not.toContain(`>${entityId}<`)
  expect(about).toContain(endpointUrl)
  expect(html(<DeliveriesAbout deliveries={[deliveryPage]} objectId="order_other" path="" />)).toContain(entityId)
  const ofEvent = html(<DeliveryTable deliveries={[deliveryPage]} known={{ isOfEvent: true }} path="" />)
  expect(ofEvent).not.toContain(eventName)
  expect(ofEvent).toContain(endpointUrl)
  const ofEndpoint = html(<DeliveryTable deliveries={[deliveryPage]} known={{ isOfEndpoint: true }} path="" />)
  expect(ofEndpoint).toContain(eventName)
  expect(ofEndpoint).not.toContain(endpointUrl)
})
