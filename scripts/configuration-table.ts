// `npm run configuration` writes the tables of docs/configuration.md.
import { variables } from '../lib/platform/config.ts'
import { databaseVariables } from '../lib/platform/config-database.ts'
import { inngestVariables } from '../lib/platform/config-inngest.ts'
import { mailVariables } from '../lib/platform/config-mail.ts'
import { payoutVariables } from '../lib/platform/config-payouts.ts'
import { providerVariables } from '../lib/platform/config-providers.ts'
import { rateLimitVariables } from '../lib/platform/config-rate-limits.ts'
import { retentionVariables } from '../lib/platform/config-retention.ts'
import { requiredOfSeller, sellerVariables } from '../lib/platform/config-seller.ts'
import { taxIdVariables } from '../lib/platform/config-tax-ids.ts'

export type Variable = keyof typeof variables.shape

/** Variables that live payments need. STRIPE_API_KEY may replace MOLLIE_API_KEY. */
export const neededForLive: readonly Variable[] = [
  'BILLHOOK_ENV',
  'DATABASE_URL',
  'PUBLIC_BASE_URL',
  'SECRET_KEY',
  ...requiredOfSeller,
  'MOLLIE_API_KEY',
]

const namesOf = (group: object) => Object.keys(group) as Variable[]

/** A variable appears only in the first section that names it. OpenTelemetry variables are missing here, because the schema does not contain them. */
export const sections: readonly { readonly title: string; readonly names: readonly Variable[] }[] = [
  { title: 'The ten variables for going live', names: neededForLive },
  {
    title: 'Service',
    names: ['PORT', 'LISTEN_ADDRESS', 'WEB_PROCESSES', 'SECRET_KEY_PREVIOUS', 'DOCS_INDEXED', 'LOG_LEVEL'],
  },
  { title: 'Database', names: namesOf(databaseVariables) },
  {
    title: 'Seller and checkout',
    names: [...namesOf(sellerVariables), 'SEPA_CREDITOR_ID', 'TERMS_URL', 'PRIVACY_URL', 'CHECKOUT_TTL'],
  },
  { title: 'Payments', names: namesOf(providerVariables) },
  { title: 'Tax', names: ['GEO_HEADER', 'GEO_DATABASE', ...namesOf(taxIdVariables), 'ECB_RATES_URL'] },
  { title: 'Fees and payouts', names: namesOf(payoutVariables) },
  { title: 'Email', names: namesOf(mailVariables) },
  {
    title: 'Limits',
    names: [
      'CLIENT_ADDRESS_HEADER',
      'MAX_CONNECTIONS_PER_ADDRESS',
      ...namesOf(rateLimitVariables),
      'WEBHOOK_ALLOWED_HOSTS',
      'WEBHOOK_LOOPBACK',
    ],
  },
  { title: 'Retention', names: namesOf(retentionVariables) },
  { title: 'Inngest', names: namesOf(inngestVariables) },
]

const begin = '<!-- Written by `npm run configuration` from lib/platform/config.ts: do not edit. -->'
const end = '<!-- End of what `npm run configuration` writes. -->'

export const meaningOf = (name: Variable): string => variables.shape[name].description ?? ''

export function defaultOf(name: Variable): string {
  const { success, data } = variables.shape[name].safeParse(undefined)
  return success ? written(data) : ''
}

function written(value: unknown): string {
  if (typeof value === 'bigint') return (Number(value) / 100).toFixed(2)
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  if ('numerator' in value && 'denominator' in value)
    return String((100 * Number(value.numerator)) / Number(value.denominator))
  if ('hours' in value) return `PT${value.hours}H`
  if (Array.isArray(value) && value.length === 0) return ''
  throw new Error(`A default of this form cannot be written: ${JSON.stringify(value)}`)
}

/**
 * Returns the permitted numbers of a variable, such as 'From 1 to 64.'. The text comes from the error message of an invalid value. Returns '' for a variable
 * that accepts no number, because `meaningOf` describes its values.
 */
export function rangeOf(name: Variable): string {
  const accepts = (value: string) => variables.shape[name].safeParse(value).success
  const rule = variables.shape[name].safeParse('a').error?.issues[0]?.message
  const isNumber = rule !== undefined && ['6', '400'].some(accepts)
  const range = rule?.replace(/^must be .*?(?=from \d|0 for no limit|at most \d)/, '') ?? ''
  return isNumber ? ` ${range.slice(0, 1).toUpperCase()}${range.slice(1)}.` : ''
}

const code = (text: string) => (text === '' ? '' : `\`${text}\` `)

export function configurationTables(): string {
  const shown = new Set<Variable>()
  const tables = sections.map(({ title, names }) => {
    const own = names.filter((name) => !shown.has(name))
    for (const name of own) shown.add(name)
    const rows = own.map((name) => `| \`${name}\` | ${code(defaultOf(name))}| ${meaningOf(name)}${rangeOf(name)} |`)
    return [`## ${title}`, '', '| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
  })
  return tables.join('\n\n')
}

export function withTables(page: string): string {
  const [before, rest] = page.split(begin)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined) throw new Error('docs/configuration.md lacks a mark of its tables.')
  return `${before}${begin}\n\n${configurationTables()}\n\n${end}${after}`
}
