import { BillhookError, type CheckoutPreview } from '@billhook/sdk'
import { billhook, planId, shown } from '../lib/billhook.ts'
import { subscribe } from './actions.ts'

const countries = { DE: 'Germany', FR: 'France', NL: 'Netherlands', PL: 'Poland', US: 'United States' }

interface Props {
  searchParams: Promise<{ country?: string; seats?: string }>
}

export default async function PricingPage({ searchParams }: Props) {
  const asked = await searchParams
  const country = asked.country && asked.country in countries ? asked.country : 'DE'
  const seats = Math.min(Math.max(Number.parseInt(asked.seats ?? '', 10) || 3, 1), 999)
  const preview = await previewOf(country, seats)
  const link = process.env.PAYMENT_LINK_ID ? await billhook.getPaymentLink(process.env.PAYMENT_LINK_ID) : null
  return (
    <>
      <h1>Team</h1>
      <form>
        <label>
          Country{' '}
          <select name="country" defaultValue={country}>
            {Object.entries(countries).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>{' '}
        <label>
          Seats <input name="seats" type="number" min="1" max="999" defaultValue={seats} />
        </label>{' '}
        <button type="submit">Show the price</button>
      </form>
      {typeof preview === 'string' ? <p role="alert">{preview}</p> : <Price preview={preview} />}
      <form action={subscribe}>
        <input type="hidden" name="seats" value={seats} />
        <button type="submit">Subscribe</button>
      </form>
      {link?.active && (
        <p>
          No account? <a href={link.url}>Buy with a payment link</a>
        </p>
      )}
    </>
  )
}

function Price({ preview: { subtotal, taxSummary, total } }: { preview: CheckoutPreview }) {
  return (
    <table>
      <tbody>
        <tr>
          <th scope="row">Net</th>
          <td>{shown(subtotal)}</td>
        </tr>
        {taxSummary.map(({ taxRate, amount }) => (
          <tr key={`${taxRate.name} ${taxRate.percentage}`}>
            <th scope="row">
              {taxRate.name} {taxRate.percentage} %
            </th>
            <td>{shown(amount)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Total a month</th>
          <td>{shown(total)}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** Returns the preview, or the reason as text if the API refuses the input. */
async function previewOf(country: string, quantity: number): Promise<CheckoutPreview | string> {
  try {
    return await billhook.previewCheckout({ products: [{ id: planId(), quantity }], country })
  } catch (error) {
    if (error instanceof BillhookError && error.code === 'validation_failed') return error.message
    throw error
  }
}
