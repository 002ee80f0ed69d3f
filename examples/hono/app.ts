import { createBillhook, type WebhookEvent } from '@billhook/sdk'
import { receiveWebhooks } from '@billhook/sdk/hono'
import { type Context, Hono } from 'hono'
import { env } from 'hono/adapter'

interface Variables extends Record<string, unknown> {
  BILLHOOK_URL: string
  BILLHOOK_KEY: string
  WEBHOOK_SECRET: string
  PLAN_ID: string
}

/** In production, store events and subscriptions in two database tables. The event id is the primary key of the events table. */
const events = new Set<string>()
const subscriptionOf = new Map<string, string>()

function store(event: WebhookEvent): void {
  if (events.has(event.id)) return
  events.add(event.id)
  if (event.eventName === 'subscription.started')
    subscriptionOf.set(String(event.object.metadata?.workspace), event.object.id)
}

/** A Cloudflare Worker receives its environment variables with each request. */
const variablesOf = (context: Context) => env<Variables>(context)

function billhookFor(context: Context) {
  const { BILLHOOK_URL, BILLHOOK_KEY } = variablesOf(context)
  return createBillhook({ baseUrl: BILLHOOK_URL, apiKey: BILLHOOK_KEY })
}

const app = new Hono()

app.post('/webhooks', (context) =>
  receiveWebhooks({ secret: variablesOf(context).WEBHOOK_SECRET, onEvent: store })(context),
)

app.get('/', (context) =>
  context.html('<h1>Team</h1><form method="post" action="/buy"><button>Buy three seats</button></form>'),
)

app.post('/buy', async (context) => {
  const { origin } = new URL(context.req.url)
  // Replace this id with the workspace of the signed-in user.
  const checkout = await billhookFor(context).createCheckout({
    products: [{ id: variablesOf(context).PLAN_ID, quantity: 3, metadata: { workspace: 'ws_1' } }],
    redirectUrlSuccess: `${origin}/account`,
    redirectUrlCanceled: origin,
  })
  return context.redirect(checkout.links.checkoutUrl.href, 303)
})

app.get('/account', async (context) => {
  const id = subscriptionOf.get('ws_1')
  if (id === undefined) return context.html('<h1>Account</h1><p>No subscription yet.</p>')
  const { status, quantity, recovery } = await billhookFor(context).getSubscription(id)
  const due = recovery ? ` ${recovery.amountDue.value} ${recovery.amountDue.currency} is past due.` : ''
  return context.html(`<h1>Account</h1><p>${quantity} seats, ${status}.${due}</p>`)
})

export default app
