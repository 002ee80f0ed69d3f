import { type ChargebackStatus, chargebackStates } from '../../modules/chargebacks/rules/state.ts'
import { type Credentials, liveProviderNames, liveProviders } from '../../platform/config-providers.ts'
import { type Command, command, type Values } from '../command.ts'
import { storefront } from '../flags.ts'

const accountKeys = {
  'api-key': { value: 'KEY', help: 'a live key of the account', required: true, isSecret: true },
  'access-token': {
    value: 'TOKEN',
    help: "Mollie's, with settlements.read: what it pays is compared with the books",
    isSecret: true,
  },
  'webhook-secret': { value: 'SECRET', help: "Stripe's, of the endpoint for this account", isSecret: true },
} as const

const credentialsIn = (keys: Values<typeof accountKeys>) =>
  ({
    apiKey: keys['api-key'],
    accessToken: keys['access-token'],
    webhookSecret: keys['webhook-secret'],
  }) satisfies Record<keyof Credentials, string | undefined>

const accountsAt = Object.values(liveProviders)
  .map(({ title }) => title)
  .join(' or ')

const chargebacks = () => import('../../workflows/chargeback/operations.ts')
const refunds = () => import('../../workflows/refund/operations.ts')
const invoiceUpdates = () => import('../../workflows/invoice-update/operations.ts')
const providerAccounts = () => import('../../workflows/provider-accounts/operations.ts')
const payments = () => import('../../workflows/reconciliation/provider-ledger.ts')

/** Accounts at the providers, and simulated changes of a payment. */
export const paymentsCommands: readonly Command[] = [
  command({
    noun: 'provider-account',
    verb: 'set',
    summary: `Take a storefront's new live payments with an account of its own at ${accountsAt}`,
    flags: {
      storefront,
      provider: { value: 'NAME', help: 'where the account is', required: true, oneOf: liveProviderNames },
      ...accountKeys,
    },
    run: async ({ storefront, provider, ...keys }) =>
      (await providerAccounts()).setAccount(storefront, { provider, ...credentialsIn(keys) }),
  }),
  command({
    noun: 'provider-account',
    verb: 'replace-key',
    summary: 'Give an account another key, which must be of the same account',
    flags: { account: { value: 'ID', help: "the account's id", required: true }, ...accountKeys },
    run: async ({ account, ...keys }) => (await providerAccounts()).replaceKey(account, credentialsIn(keys)),
  }),
  command({
    noun: 'provider-account',
    verb: 'end',
    summary: "Take a storefront's new live payments with the installation's account again",
    flags: { storefront },
    run: async ({ storefront }) => (await providerAccounts()).endAccount(storefront),
  }),
  command({
    noun: 'provider-account',
    verb: 'list',
    summary: 'List the accounts of storefronts, the newest first',
    flags: { storefront: { value: 'ID', help: 'of one storefront' } },
    run: async ({ storefront }) => (await providerAccounts()).listAccounts(storefront),
  }),
  command({
    noun: 'provider',
    verb: 'ledger',
    summary: "List the attempts to pay an order by the test provider's own books",
    flags: { order: { value: 'ID', help: "the order's id", required: true } },
    run: async ({ order }) => (await payments()).providerLedger(order),
  }),
  command({
    noun: 'invoice',
    verb: 'versions',
    summary: 'List what an invoice said of the buyer before its corrections, and what it says now',
    flags: { order: { value: 'ID', help: "the order's id", required: true } },
    run: async ({ order }) => (await invoiceUpdates()).invoiceVersions(order),
  }),
  command({
    noun: 'refund',
    verb: 'fail',
    summary: "Let the test provider's bank refuse a refund",
    flags: { refund: { value: 'ID', help: "the refund's id", required: true } },
    run: async ({ refund }) => (await refunds()).failAtBank(refund),
  }),
  command({
    noun: 'chargeback',
    verb: 'raise',
    summary: "Let the buyer's bank dispute the payment of an order (test mode)",
    flags: {
      order: { value: 'ID', help: "the order's id", required: true },
      amount: { value: 'GROSS', help: 'what is disputed, with tax, such as 12.10 (default: the whole payment)' },
      reason: { value: 'REASON', help: 'why, such as duplicate or product_not_received (fraud)' },
    },
    run: async ({ order, amount, reason = 'fraud' }) => (await chargebacks()).raise(order, { amount, reason }),
  }),
  command({
    noun: 'chargeback',
    verb: 'move',
    summary: 'Let a dispute proceed, or decide on one over more than was sold',
    flags: {
      chargeback: { value: 'ID', help: "the chargeback's id", required: true },
      to: { value: 'STATUS', help: 'what it becomes', required: true, oneOf: chargebackStates.states },
    },
    run: async ({ chargeback, to }) => (await chargebacks()).move(chargeback, to as ChargebackStatus),
  }),
]
