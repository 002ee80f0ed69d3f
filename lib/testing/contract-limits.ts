import type { z } from 'zod'
import { linkLifetimes } from '../modules/billing-updates/rules/link.ts'
import { mostUnits } from '../modules/catalog/rules/interval.ts'
import { newLink } from '../modules/invoice-updates/rules/link.ts'
import { mostPerLine } from '../modules/orders/rules/order.ts'
import { linkLifetimes as portalLifetimes, requestedLinks } from '../modules/portal/rules/session.ts'
import { RefundItemBody } from '../modules/refunds/contract.ts'
import { cancelWindow } from '../modules/refunds/rules/refund.ts'
import {
  attemptsKeptDays,
  deliveryTimeoutMs,
  mostEndpoints,
  pingsAtOnce,
  setupTimeoutMs,
} from '../modules/webhooks/rules/limits.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { answersKeptHours } from '../platform/http/idempotency.ts'
import { RateLimiter } from '../platform/http/rate-limit.ts'
import { maxBytes, maxDepth } from '../platform/http/request-body.ts'
import { EuroPrice, metadataKeyCharacters, metadataKeys, metadataValueCharacters } from '../platform/http/shapes.ts'
import { answerKeptBytes } from '../platform/outbound/outbound-http.ts'
import { settlementSeconds } from '../providers/sandbox/outcome.ts'

/** This file collects the limits that the code enforces, with the names and formats of docs/contract. */

export interface Schema {
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: { $ref?: string }[]
  [rule: string]: unknown
}
export interface Operation {
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, unknown>
}

const number = (value: unknown): string => Number(value).toLocaleString('en')
const money = (minor: bigint): string => (Number(minor) / 100).toLocaleString('en', { minimumFractionDigits: 2 })

export function limitsOfCode(operations: ReadonlyMap<string, Operation>): Record<string, string> {
  const config = readConfig({ SECRET_KEY: 'x'.repeat(32), DATABASE_URL: 'postgresql://localhost/x' })
  return { ...limitsOfRequests(operations), ...limitsOfFields(operations), ...limitsOfTime(config), ...rates(config) }
}

function limitsOfRequests(operations: ReadonlyMap<string, Operation>): Record<string, string> {
  const of = (operation: string, name: string) =>
    operations.get(operation)?.parameters.find((each) => each.name === name)?.schema ?? {}
  const limit = of('GET /v1/orders', 'limit')
  const key = of('POST /v1/customers', 'Idempotency-Key')
  return {
    'limit of a list, default': number(limit.default),
    'limit of a list, maximum': number(limit.maximum),
    'length of an idempotency key': `${key.minLength} to ${key.maxLength} visible ASCII characters`,
    'lifetime of an idempotency key': `${answersKeptHours} hours`,
    'size of a request body': `${number(maxBytes)} bytes`,
    'nesting of a field in a request body': `${maxDepth} levels`,
    'keys in metadata': number(metadataKeys),
    'length of a key in metadata': `${metadataKeyCharacters} characters`,
    'length of a value in metadata': `${metadataValueCharacters} characters`,
    'webhook endpoints of a storefront and mode': number(mostEndpoints),
    'webhook.setup pings of a storefront that run at the same time; as many further pings can wait':
      number(pingsAtOnce),
    'stored part of a response': `${number(answerKeptBytes)} bytes`,
  }
}

function limitsOfFields(operations: ReadonlyMap<string, Operation>): Record<string, string> {
  const field = (operation: string, path: string): Schema => {
    let schema = operations.get(operation)?.requestBody?.content['application/json'].schema ?? {}
    for (const name of path.split('.')) schema = bare((name === '*' ? schema.items : schema.properties?.[name]) ?? {})
    return schema
  }
  const plan = (path: string) => field('POST /v1/subscription-plans', path)
  const checkout = (path: string) => field('POST /v1/checkouts', path)
  const link = (path: string) => field('POST /v1/payment-links', path)
  const refund = (path: string) => field('POST /v1/orders/{id}/refunds', path)
  const endpoint = (path: string) => field('POST /v1/webhook-endpoints', path)
  return {
    'length of the name of a plan or product': characters(plan('name')),
    'length of a description': characters(plan('description')),
    'price of a plan or product': bounds(EuroPrice, ['', '0.00', '999,999.99', '1,000,000.00']),
    ...Object.fromEntries(
      (['day', 'week', 'month'] as const).map((unit) => [`intervalCount of ${unit}`, `1 to ${mostUnits[unit]}`]),
    ),
    "length of a customer's name": characters(field('POST /v1/customers', 'name')),
    'length of taxId': characters(checkout('billingAddress.taxId')),
    'length of postalCode': characters(checkout('billingAddress.postalCode')),
    'length of each other address field': characters(checkout('billingAddress.city')),
    'products of a checkout': `${checkout('products').minItems} to ${checkout('products').maxItems}`,
    'quantity of a line': range(checkout('products.*.quantity')),
    'total of a line': money(mostPerLine),
    trialDays: range(checkout('products.*.trialDays')),
    'length of a redirect URL': `${number(checkout('redirectUrlSuccess').maxLength)} bytes`,
    'items of a payment link': `${link('items').minItems} to ${link('items').maxItems}`,
    "length of a payment link's name": characters(link('name')),
    'minQuantity and maxQuantity': range(link('items.*.maxQuantity')),
    'quantity of a subscription': range(field('PATCH /v1/subscriptions/{id}', 'quantity')),
    'items of a refund': `${refund('items').minItems} to ${refund('items').maxItems}`,
    'amount of an item': bounds(RefundItemBody.shape.amount, ['0.00', '0.01', '99,999,999.99', '100,000,000.00']),
    'length of a description of an item': characters(refund('items.*.description')),
    'charges that a payment behavior declines': range(
      field('POST /v1/test-helpers/subscriptions/{id}/payment-behavior', 'times'),
    ),
    'length of a secret': characters(endpoint('secret')),
    "length of an endpoint's URL": characters(endpoint('url')),
  }
}

function limitsOfTime({ checkoutTtl }: Config): Record<string, string> {
  const invoiceLink = newLink({ id: '', orderId: '' }, new Date(0))
  return {
    'lifetime of a checkout (CHECKOUT_TTL)': `${checkoutTtl.hours} hours`,
    'lifetime of an invoice-update link': `${invoiceLink.expiresAt.getTime() / 3_600_000} hours`,
    'lifetime of a billing-update link': `${linkLifetimes.merchant.hours} hours`,
    'lifetime of a billing-update link in an email': `${linkLifetimes.email.days} days`,
    'lifetime of a portal link': `${portalLifetimes.merchant.minutes} minutes`,
    'lifetime of a portal link that a customer requests by email': `${portalLifetimes.email.hours} hours`,
    'lifetime of the personal link in an email about an order or a subscription': `${portalLifetimes.notice.days} days`,
    'links that a customer can request by email': `${requestedLinks.most} within ${requestedLinks.withinMs / 60_000} minutes; links that you create or email do not count`,
    'cancel window of a refund, test mode': `${cancelWindow.test.seconds} seconds`,
    'cancel window of a refund, live mode': `${cancelWindow.live.hours} hours`,
    'time to respond to the webhook.setup ping': `${setupTimeoutMs / 1000} seconds`,
    'time to respond to a delivery': `${deliveryTimeoutMs / 1000} seconds`,
    'lifetime of a stored attempt': `${attemptsKeptDays} days`,
    'SEPA Direct Debit of test mode settles after': `${settlementSeconds(0) / 60} to ${settlementSeconds(1) / 60} minutes`,
  }
}

function rates(config: Config): Record<string, string> {
  const { part, fixed } = config.fee
  return {
    'requests with a key of test mode (RATE_LIMIT_TEST)': `${number(config.rateLimitTest)} a minute`,
    'requests with a key of live mode (RATE_LIMIT_LIVE)': `${number(config.rateLimitLive)} a minute`,
    'requests without a valid key from one address (RATE_LIMIT_ANONYMOUS)': `${config.rateLimitAnonymous} a minute`,
    'notices of a provider from one address (RATE_LIMIT_NOTICES)': `${number(config.rateLimitNotices)} a minute`,
    'immediate charges of a subscription (RATE_LIMIT_CHARGES)': `${config.rateLimitCharges} an hour`,
    'burst of a key of test mode': `${burst(config.rateLimitTest)} requests`,
    'burst of a key of live mode': `${burst(config.rateLimitLive)} requests`,
    'forms of one link (RATE_LIMIT_FORMS)': `${number(config.rateLimitForms)} a minute`,
    'forms from one address (RATE_LIMIT_FORMS_ADDRESS)': `${number(config.rateLimitFormsAddress)} a minute`,
    'fee, share of the net (FEE_PERCENT)': `${(100 * Number(part.numerator)) / Number(part.denominator)} %`,
    'fee, fixed amount (FEE_FIXED)': money(fixed),
    "provider's fee of a chargeback (CHARGEBACK_FEE)": money(config.chargebackFee),
    "bank's fee of a returned direct debit (RETURNED_DEBIT_FEE)": money(config.returnedDebitFee),
  }
}

const bare = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema

function characters({ minLength, maxLength }: Schema): string {
  return `${minLength === undefined ? '' : `${minLength} to `}${number(maxLength)} characters`
}

const range = ({ minimum, maximum }: Schema): string => `${minimum} to ${number(maximum)}`

function bounds(schema: z.ZodType, amounts: readonly [string, string, string, string]): string {
  const accepted = amounts.filter(
    (each) => schema.safeParse({ value: each.replaceAll(',', ''), currency: 'EUR' }).success,
  )
  return accepted.join(' to ')
}

function burst(perMinute: number): number {
  const limiter = new RateLimiter()
  let allowed = 0
  while (limiter.take('key', perMinute, 0).allowed) allowed++
  return allowed
}
