import { createBillhook, type WebhookEvent } from '@billhook/sdk'
import { receiveWebhooks } from '@billhook/sdk/express'
import express from 'express'

const { BILLHOOK_URL, BILLHOOK_KEY, WEBHOOK_SECRET, PLAN_ID = '', SHOP_URL = 'http://localhost:4000' } = process.env
const billhook = createBillhook({ baseUrl: BILLHOOK_URL, apiKey: BILLHOOK_KEY })

/** In production, store events and subscriptions in two database tables. The event id is the primary key of the events table. */
const events = new Set<string>()
const subscriptionOf = new Map<string, string>()

function store(event: WebhookEvent): void {
  if (events.has(event.id)) return
  events.add(event.id)
  if (event.eventName === 'subscription.started')
    subscriptionOf.set(String(event.object.metadata?.workspace), event.object.id)
}

export const app = express()

// Mount this route before body parsers, because the signature covers the raw bytes.
app.post('/webhooks', receiveWebhooks({ secret: WEBHOOK_SECRET, onEvent: store }))

app.get('/', (_request, response) => {
  response.send('<h1>Team</h1><form method="post" action="/buy"><button>Buy three seats</button></form>')
})

app.post('/buy', async (_request, response) => {
  // Replace this id with the workspace of the signed-in user.
  const checkout = await billhook.createCheckout({
    products: [{ id: PLAN_ID, quantity: 3, metadata: { workspace: 'ws_1' } }],
    redirectUrlSuccess: `${SHOP_URL}/account`,
    redirectUrlCanceled: SHOP_URL,
  })
  response.redirect(303, checkout.links.checkoutUrl.href)
})

app.get('/account', async (_request, response) => {
  const id = subscriptionOf.get('ws_1')
  if (id === undefined) return response.send('<h1>Account</h1><p>No subscription yet.</p>')
  const { status, quantity, recovery } = await billhook.getSubscription(id)
  const due = recovery ? ` ${recovery.amountDue.value} ${recovery.amountDue.currency} is past due.` : ''
  return response.send(`<h1>Account</h1><p>${quantity} seats, ${status}.${due}</p>`)
})
