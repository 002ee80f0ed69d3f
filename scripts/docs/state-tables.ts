// `npm run docs:states` writes the tables and diagrams of docs/start/concepts.md.
import { chargebackStates } from '../../lib/modules/chargebacks/rules/state.ts'
import { checkoutStates } from '../../lib/modules/checkouts/rules/state.ts'
import { orderStates } from '../../lib/modules/orders/rules/order.ts'
import { recoveryStates } from '../../lib/modules/recovery/rules/recovery.ts'
import { refundStates } from '../../lib/modules/refunds/rules/state.ts'
import { subscriptionStates } from '../../lib/modules/subscriptions/rules/state.ts'

interface States {
  readonly states: readonly string[]
  transitions(): readonly { from: string; trigger: string; to: string }[]
}

const machines: readonly (readonly [heading: string, machine: States])[] = [
  ['Checkout', checkoutStates],
  ['Order', orderStates],
  ['Subscription', subscriptionStates],
  ['Recovery', recoveryStates],
  ['Refund', refundStates],
  ['Chargeback', chargebackStates],
]

const isDrawn = (heading: string): boolean => ['Order', 'Subscription', 'Recovery'].includes(heading)

/** The first states of records that can begin in several states. */
const beginnings: Readonly<Record<string, string>> = {
  Order: 'An order begins as `created`. A credit note, and an invoice that replaces another invoice, begin as `paid`.',
  Refund: 'A refund begins as `pending`. A refund of the tax alone begins as `processing`.',
  Chargeback:
    'A chargeback begins as `pending`. If the disputed amount exceeds the total of the order, the chargeback begins as `requires_amount_review`.',
}

const begin = '<!-- Written by `npm run docs:states`: do not edit. -->'
const end = '<!-- End of what `npm run docs:states` writes. -->'

function tableOf({ states, transitions }: States): string {
  const rows = states.map((state) => {
    const next = new Set(transitions().flatMap(({ from, to }) => (from === state && to !== state ? [to] : [])))
    return `| \`${state}\` | ${[...next].map((each) => `\`${each}\``).join(', ') || 'none'} |`
  })
  return ['| State | Next states |', '|---|---|', ...rows].join('\n')
}

/** Returns the diagram of a state machine. Writes a trigger such as `cancelAtPeriodEnd` as "cancel at period end". */
function diagramOf({ transitions }: States): string {
  const words = (trigger: string) => trigger.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const lines = transitions().map(({ from, trigger, to }) => `  ${from} --> ${to}: ${words(trigger)}`)
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n')
}

export function withStateTables(page: string): string {
  const [before = '', rest = ''] = page.split(begin)
  const [, after = ''] = rest.split(end)
  const tables = machines.map(([heading, machine]) =>
    [
      `### ${heading}`,
      ...(isDrawn(heading) ? [diagramOf(machine)] : []),
      tableOf(machine),
      ...(beginnings[heading] ? [beginnings[heading]] : []),
    ].join('\n\n'),
  )
  return `${before}${begin}\n\n${tables.join('\n\n')}\n\n${end}${after}`
}
