import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { idPrefixes } from '../lib/kernel/ids.ts'
import { locales } from '../lib/kernel/locale.ts'
import { type RefusalCode, refusals } from '../lib/kernel/refusal.ts'
import { PlanShape } from '../lib/modules/catalog/contract.ts'
import { chargebackStates } from '../lib/modules/chargebacks/rules/state.ts'
import { buyerFields } from '../lib/modules/checkouts/page.ts'
import { problemOf } from '../lib/modules/checkouts/rules/buyer.ts'
import { checkoutStates } from '../lib/modules/checkouts/rules/state.ts'
import { eventTypes } from '../lib/modules/events/event-types.ts'
import { creditNoteSeries, invoiceNumber, salesSeries } from '../lib/modules/invoices/rules/number.ts'
import { accounts } from '../lib/modules/ledger/rules/account.ts'
import { orderStates } from '../lib/modules/orders/rules/order.ts'
import { failureReasons } from '../lib/modules/payments/rules/failure.ts'
import { kindOf, schedules } from '../lib/modules/recovery/rules/schedule.ts'
import { refundStates } from '../lib/modules/refunds/rules/state.ts'
import { SubscriptionShape } from '../lib/modules/subscriptions/contract.ts'
import { subscriptionStates } from '../lib/modules/subscriptions/rules/state.ts'
import { standardRates } from '../lib/modules/tax/rules/rates.ts'
import { EventFields } from '../lib/modules/webhooks/contract.ts'
import { nextWait, waits } from '../lib/modules/webhooks/rules/retry-delays.ts'
import { timedSignature } from '../lib/platform/crypto/signing.ts'
import { testMandates } from '../lib/providers/sandbox/mandates.ts'
import { limitsOfCode, type Operation, type Schema } from '../lib/testing/contract-limits.ts'
import {
  cut,
  firstCells,
  pages,
  rowsOf,
  type Table,
  tables,
  under,
  withColumns,
} from '../lib/testing/contract-tables.ts'

const openapi = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const operations = new Map<string, Operation>(
  Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  ),
)

const sorted = <Value>(values: Iterable<Value>) => [...values].map((value) => String(value)).sort()

describe('the operations of docs/contract', () => {
  const documented = rowsOf(withColumns('Operation', 'Response', 'What it does'))

  it('docs/contract lists each operation of the API exactly once', () => {
    expect(operations.size).toBeGreaterThan(40)
    expect(sorted(documented.map(([name]) => name))).toEqual(sorted(operations.keys()))
  })

  it.each(documented)(
    'docs/contract states the success status and the filters of the operation %s: %s',
    (name, response = '', text = '') => {
      const { responses = {}, parameters = [] } = operations.get(name ?? '') ?? {}
      const succeeds = Object.keys(responses).filter((status) => status.startsWith('2'))
      expect(sorted(response.match(/\b2\d\d\b/g) ?? [])).toEqual(sorted(succeeds))
      const query = parameters.filter((each) => each.in === 'query').map((each) => each.name)
      expect(query.includes('limit')).toBe(response.includes('a list'))
      for (const filter of query.filter((each) => !/^(limit|startingAfter|endingBefore)$/.test(each)))
        expect(text).toContain(filter)
    },
  )
})

describe('the fields of docs/contract', () => {
  const shapes = tables.filter(({ heading }) => heading.startsWith('Fields of `'))
  const bodies = tables.filter(({ heading, columns }) => heading.startsWith('Body of `') && columns[0] === 'Field')
  const subject = ({ heading }: Table) => /`(.+)`/.exec(heading)?.[1] ?? ''

  /** The documentation lists all events in one table, so a single event needs no table of its fields. */
  const events = (openapi.components.schemas.WebhookEvent?.oneOf ?? []).map(({ $ref = '' }) => $ref.split('/').at(-1))

  it('docs/contract has a table of fields for every response shape and every request body', () => {
    const named = shapes.filter(({ columns }) => columns[0] === 'Field').map(subject)
    expect(events.length).toBe(Object.keys(eventTypes).length)
    const described = Object.keys(openapi.components.schemas).filter((name) => !events.includes(name))
    expect(sorted(named)).toEqual(sorted(described))
    const withBody = [...operations].filter(([, { requestBody }]) => requestBody).map(([name]) => name)
    expect(sorted(bodies.map(subject))).toEqual(sorted(withBody))
  })

  it.each(shapes.filter(({ columns }) => columns[0] === 'Field'))(
    '$file lists the fields of the OpenAPI schema: $heading',
    (table) => {
      const name = subject(table) === 'WebhookEvent' ? events[0] : subject(table)
      const { properties = {} } = openapi.components.schemas[name ?? ''] ?? {}
      expect(sorted(firstCells([table]))).toEqual(sorted(Object.keys(properties)))
    },
  )

  it.each(bodies)('$file lists the fields of the request body in the OpenAPI document: $heading', (table) => {
    const { properties = {}, required = [] } = bodyOf(subject(table))
    const expected = Object.keys(properties).map((field) => `${field} ${required.includes(field) ? 'yes' : 'no'}`)
    expect(sorted(cut([table], 2).map((row) => row.join(' ')))).toEqual(sorted(expected))
  })
})

const bodyOf = (operation: string): Schema =>
  operations.get(operation)?.requestBody?.content['application/json'].schema ?? {}

it('docs/merchants/errors.md states what to do after each error 403, 409, and 429 of the API', () => {
  const guide = readFileSync('docs/merchants/errors.md', 'utf8')
  const ofApi = rowsOf(withColumns('Code', 'Status')).filter(
    ([, , when]) => !/^(operators|hosted pages): /.test(when ?? ''),
  )
  const conflicts = ofApi.filter(([, status = '']) => ['403', '409', '429'].includes(status))
  const rows = guide.split('\n').filter((line) => /^\| (403|409|429)/.test(line))
  expect(conflicts.length).toBeGreaterThan(10)
  const lacking = conflicts.filter(
    ([code, status]) => !rows.some((row) => row.startsWith(`| ${status}`) && row.includes(`\`${code}\``)),
  )
  expect(lacking.map(([code]) => code)).toEqual([])
})

describe('the closed lists of docs/contract', () => {
  it('docs/contract lists every error code with its status', () => {
    const codes = Object.entries(refusals).map(([code, { status }]) => `${code} ${status}`)
    expect(sorted(cut(withColumns('Code', 'Status'), 2).map((row) => row.join(' ')))).toEqual(sorted(codes))
    const statuses = new Set(Object.keys(refusals).map((code) => refusals[code as RefusalCode].status))
    expect(firstCells(withColumns('Response', 'Meaning')).filter((each) => Number(each) >= 400)).toEqual(
      sorted(statuses),
    )
  })

  it('docs/contract marks exactly the error codes that no API call returns', () => {
    const isMarked = (text = '') => /^(operators|hosted pages): /.test(text)
    const unmarked = rowsOf(withColumns('Code', 'Status')).filter(([, , text]) => !isMarked(text))
    const codes = openapi.components.schemas.ApiError?.properties?.code?.enum
    expect(sorted(unmarked.map(([code]) => code))).toEqual(sorted(codes as string[]))
  })

  it('docs/contract lists every event with its entity, every reason of subscription.updated, and every cancellation reason', () => {
    expect(Object.fromEntries(cut(withColumns('Event', 'Entity'), 2))).toEqual(eventTypes)
    const reasons = EventFields.shape.reason.unwrap().options
    expect(sorted(firstCells(withColumns('Reason of `subscription.updated`')))).toEqual(sorted(reasons))
    const cancellations = SubscriptionShape.shape.cancellationReason.unwrap().options
    expect(sorted(firstCells(withColumns('Reason', 'When')))).toEqual(sorted(cancellations))
  })

  it.each([
    ['a subscription', subscriptionStates],
    ['a checkout', checkoutStates],
    ['an order', orderStates],
    ['a refund', refundStates],
    ['a chargeback', chargebackStates],
  ] as const)('docs/contract lists every status and every transition of %s', (noun, machine) => {
    expect(sorted(firstCells(under(`States of ${noun}`, 'Status')))).toEqual(sorted(machine.states))
    const moves = machine.transitions().map(({ from, to }) => `${from} ${to}`)
    const documented = cut(under(`States of ${noun}`, 'From', 'To', 'When'), 2).map((row) => row.join(' '))
    expect(sorted(documented)).toEqual(sorted(new Set(moves)))
  })

  it('docs/contract lists every plan status, failure reason, locale, account, payment method, and resource', () => {
    expect(sorted(firstCells(under('States of a plan or product', 'Status')))).toEqual(
      sorted(PlanShape.shape.status.options),
    )
    const kinds = Object.fromEntries(failureReasons.map((reason) => [reason, kindOf(reason)]))
    expect(Object.fromEntries(cut(withColumns('Failure reason', 'Kind'), 2))).toEqual(kinds)
    expect(firstCells(withColumns('Locale'))).toEqual([...locales])
    expect(sorted(firstCells(withColumns('Account')))).toEqual(sorted(accounts))
    const mandates = Object.entries(testMandates).map(([method, each]) => [method, each.method, each.maskedIdentifier])
    expect(sorted(cut(withColumns('Payment method'), 3))).toEqual(sorted(mandates))
    const resources = Object.values(openapi.components.schemas).flatMap(
      ({ properties }) => properties?.resource?.const ?? [],
    )
    expect(sorted(firstCells(withColumns('Resource')))).toEqual(sorted(new Set(resources)))
  })

  it('docs/contract states the id prefix of every resource', () => {
    expect(Object.fromEntries(rowsOf(withColumns('Resource', 'Prefix of its id')))).toEqual(prefixesIn(openapi))
  })
})

/** Returns the id prefix of each resource in the examples of the API. */
function prefixesIn(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  const found = Object.assign({}, ...Object.values(value).map(prefixesIn))
  const { id, resource } = value as { id?: unknown; resource?: unknown }
  if (typeof id !== 'string' || typeof resource !== 'string') return found
  return {
    ...found,
    [resource]: idPrefixes.find((prefix) => id.startsWith(prefix) && id.length === prefix.length + 22) ?? id,
  }
}

describe('the schedules and tables of docs/contract', () => {
  it('docs/contract states the waiting times between delivery attempts', () => {
    const seconds: Record<string, number> = { s: 1, min: 60, h: 3600 }
    const documented = rowsOf(withColumns('Failed attempts', 'Wait')).map(([failed, wait = '']) => {
      const [number, unit = ''] = wait.split(' ')
      return [Number(failed), Number(number) * (seconds[unit] ?? 0)]
    })
    expect(documented).toEqual(waits.map((wait, index) => [index + 1, wait]))
    expect(pages['webhooks.md']).toContain('up to 10 % longer')
    expect(nextWait(9, 1, null)).toBe(Math.floor(24 * 3600 * 1.1))
  })

  it('docs/contract states the retry days of the recovery schedules', () => {
    const does = { email: 'email', charge: 'charge', exhaust: 'end' }
    const days = Object.entries(schedules).flatMap(([kind, steps]) => {
      const dayOf = (n: number) => steps.slice(0, n + 1).reduce((days, step) => days + step.daysAfterPreviousStep, 0)
      return steps.map((step, n) => [kind, String(dayOf(n)), does[step.does]])
    })
    expect(rowsOf(withColumns('Kind of decline'))).toEqual(days)
  })

  it('docs/contract states the tax rates, the invoice numbers, the form fields, and the signature of a delivery', () => {
    const rates = standardRates.map(({ country, name, percentage, effectiveFrom }) =>
      [country, name, percentage, effectiveFrom].join(' '),
    )
    expect(sorted(rowsOf(withColumns('Country')).map((row) => row.join(' ')))).toEqual(sorted(rates))
    const at = new Date('2026-01-01T00:00:00Z')
    const series = [salesSeries, creditNoteSeries].flatMap((of) =>
      [false, true].map((testmode) => invoiceNumber(of({ storefrontId: '', testmode }, at), 1n)),
    )
    expect(rowsOf(withColumns('Series')).map((row) => row.at(-1))).toEqual(series)
    const form = buyerFields.map((field) => [field, problemOf(field, '') ? 'yes' : 'no', longest(field)])
    expect(rowsOf(withColumns('Form field'))).toEqual(form)
    const { secret = '', t, body = '', v1 } = Object.fromEntries(cut(withColumns('Part of the test vector'), 2))
    expect(timedSignature([secret], Number(t), body)).toBe(`t=${t},v1=${v1}`)
  })
})

function longest(field: (typeof buyerFields)[number]): string {
  const problem = problemOf(field, 'x'.repeat(1000))
  return problem?.code === 'too_long' ? String(problem.limit) : '2'
}

describe('the limits of docs/contract', () => {
  const documented = rowsOf(withColumns('Limit', 'Value'))

  it('docs/contract names each limit exactly once', () => {
    expect(new Set(documented.map(([name]) => name)).size).toBe(documented.length)
  })

  it('docs/contract states the values of all limits', () => {
    expect(Object.fromEntries(documented)).toEqual(limitsOfCode(operations))
  })
})
