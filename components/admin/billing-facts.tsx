import { countryName } from '@/components/format.ts'
import type { AdminCustomerRow, CustomerPage } from '@/lib/modules/customers/page.ts'
import { adminLocale } from './text.ts'

type Address = Pick<
  NonNullable<CustomerPage['billing']>,
  'streetAndNumber' | 'streetAdditional' | 'postalCode' | 'city' | 'region' | 'country'
>

/** The postal address with one line per part. Null for an empty address. */
export function addressOf(billing: Address | null) {
  const { streetAndNumber, streetAdditional, postalCode, city, region, country } = billing ?? {}
  const place = [postalCode, city].filter(Boolean).join(' ')
  const lines = [streetAndNumber, streetAdditional, place, region, country && countryName(country, adminLocale())]
  const known = lines.filter(Boolean)
  return known.length === 0 ? null : <span className="whitespace-pre-line">{known.join('\n')}</span>
}

export const metadataOf = (metadata: AdminCustomerRow['metadata']) => {
  const entries = Object.entries(metadata ?? {})
  if (entries.length === 0) return null
  return (
    <ul>
      {entries.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code>: <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
        </li>
      ))}
    </ul>
  )
}
