import type { Subscription } from '@billhook/sdk'
import { billhook, shown } from '../../lib/billhook.ts'
import { currentWorkspace } from '../../lib/session.ts'
import { subscriptionOf } from '../../lib/store.ts'
import { changeSeats, openPortal, payNow } from '../actions.ts'

interface Props {
  searchParams: Promise<{ seats?: string; problem?: string }>
}

export default async function AccountPage({ searchParams }: Props) {
  const { seats, problem } = await searchParams
  const id = subscriptionOf(await currentWorkspace())
  if (id === undefined) return <NoSubscription />
  const subscription = await billhook.getSubscription(id)
  const { data: orders } = await billhook.listOrders({ subscriptionId: id, limit: 12 })
  const quantity = Number.parseInt(seats ?? '', 10)
  const canChange = ['trial', 'active'].includes(subscription.status)
  return (
    <>
      <h1>Account</h1>
      {problem && <p role="alert">{problem}</p>}
      <PastDue subscription={subscription} />
      <p>
        {subscription.quantity} seats, {subscription.status}
      </p>
      {canChange && quantity > 0 ? (
        <ConfirmSeats subscription={subscription} quantity={quantity} />
      ) : (
        canChange && <ChooseSeats subscription={subscription} />
      )}
      <form action={openPortal}>
        <button type="submit">Manage the subscription</button>
      </form>
      <h2>Invoices</h2>
      <ul>
        {orders.map(({ id, invoiceNumber, status, total }) => (
          <li key={id}>
            {invoiceNumber ?? 'No invoice yet'}: {shown(total)}, {status}
          </li>
        ))}
      </ul>
    </>
  )
}

function NoSubscription() {
  return (
    <>
      <h1>Account</h1>
      <p>No subscription yet. After a payment, this page shows it within a few seconds.</p>
    </>
  )
}

/** A subscription stays active while a renewal is unpaid. `recovery` contains the amount due. */
function PastDue({ subscription: { recovery } }: { subscription: Subscription }) {
  if (recovery === null) return null
  return (
    <div className="banner" role="alert">
      <p>Your last payment failed. {shown(recovery.amountDue)} is past due.</p>
      <form action={payNow}>
        <button type="submit">Pay now</button>
      </form>
    </div>
  )
}

function ChooseSeats({ subscription: { quantity } }: { subscription: Subscription }) {
  return (
    <form>
      <label>
        Seats <input name="seats" type="number" min="1" max="999" defaultValue={quantity} />
      </label>{' '}
      <button type="submit">Show the price</button>
    </form>
  )
}

async function ConfirmSeats({ subscription, quantity }: { subscription: Subscription; quantity: number }) {
  const change = { quantity, applyImmediately: true, invoiceImmediately: true }
  const { dueNow, nextRenewal, refusal, asOf } = await billhook.previewSubscriptionChange(subscription.id, change)
  if (refusal) return <p role="alert">{refusal.message}</p>
  return (
    <form action={changeSeats}>
      <p>
        {dueNow ? `${shown(dueNow.total)} now. ` : ''}
        {nextRenewal ? `${shown(nextRenewal.total)} at the next renewal.` : ''}
      </p>
      <input type="hidden" name="seats" value={quantity} />
      <input type="hidden" name="asOf" value={asOf} />
      <button type="submit">Change to {quantity} seats</button>
    </form>
  )
}
