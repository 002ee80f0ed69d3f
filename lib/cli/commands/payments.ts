import { type ChargebackStatus, chargebackStates } from '../../modules/chargebacks/rules/state.ts'
import { type Credentials, liveProviderNames, liveProviders } from '../../platform/config-providers.ts'
import { type Command, command, type Values } from '../command.ts'
import { storefront } from '../flags.ts'

const accountKeys = {
  'api-key': { value: 'KEY', help: 'a live key of the account', required: true, isSecret: true },
  'access-token': {
    value: 'TOKEN',
    help: "an access token of Mollie with settlements.read, to compare Mollie's settlements with the books; an empty value deletes the stored token",
    mayBeEmpty: true,
    isSecret: true,
  },
  'webhook-secret': {
    value: 'SECRET',
    help: 'the secret of the Stripe webhook endpoint for this account; an empty value deletes the stored secret',
    mayBeEmpty: true,
    isSecret: true,
  },
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

export const paymentsCommands: readonly Command[] = [
  command({
    noun: 'provider-account',
    verb: 'set',
    summary: `Use a separate account at ${accountsAt} for a storefront's new live payments`,
    flags: {
      storefront,
      provider: {
        value: 'NAME',
        help: 'the payment provider of the account',
        required: true,
        oneOf: liveProviderNames,
      },
      ...accountKeys,
    },
    run: async ({ storefront, provider, ...keys }, say) =>
      (await providerAccounts()).setAccount(storefront, { provider, ...credentialsIn(keys) }, say),
  }),
  command({
    noun: 'provider-account',
    verb: 'replace-key',
    summary:
      'Replace the API key and the other credentials of a provider account; the new key must belong to the same account',
    flags: { account: { value: 'ID', help: "the account's id", required: true }, ...accountKeys },
    run: async ({ account, ...keys }) => (await providerAccounts()).replaceKey(account, credentialsIn(keys)),
  }),
  command({
    noun: 'provider-account',
    verb: 'end',
    summary: "Use the installation's account again for a storefront's new live payments",
    flags: { storefront },
    run: async ({ storefront }) => (await providerAccounts()).endAccount(storefront),
  }),
  command({
    noun: 'provider-account',
    verb: 'list',
    summary: 'List the provider accounts of storefronts, newest first',
    flags: { storefront: { value: 'ID', help: 'only this storefront (default: all)' } },
    run: async ({ storefront }) => (await providerAccounts()).listAccounts(storefront),
  }),
  command({
    noun: 'provider',
    verb: 'ledger',
    summary: "List the attempts to pay an order from the test provider's own books",
    flags: { order: { value: 'ID', help: "the order's id", required: true } },
    run: async ({ order }) => (await payments()).providerLedger(order),
  }),
  command({
    noun: 'invoice',
    verb: 'versions',
    summary: 'List the buyer details of an invoice before each correction, and the current details',
    flags: { order: { value: 'ID', help: "the order's id", required: true } },
    run: async ({ order }) => (await invoiceUpdates()).invoiceVersions(order),
  }),
  command({
    noun: 'refund',
    verb: 'fail',
    summary: "Make a refund fail at the test provider's bank",
    flags: { refund: { value: 'ID', help: "the refund's id", required: true } },
    run: async ({ refund }) => (await refunds()).failAtBank(refund),
  }),
  command({
    noun: 'chargeback',
    verb: 'raise',
    summary: "Make the buyer's bank dispute the payment of an order (test mode)",
    flags: {
      order: { value: 'ID', help: "the order's id", required: true },
      amount: { value: 'GROSS', help: 'the disputed amount with tax, such as 12.10 (default: the whole payment)' },
      reason: { value: 'REASON', help: 'the reason, such as duplicate or product_not_received (default: fraud)' },
    },
    run: async ({ order, amount, reason = 'fraud' }) => (await chargebacks()).raise(order, { amount, reason }),
  }),
  command({
    noun: 'chargeback',
    verb: 'move',
    summary: "Change the status of a dispute in test mode, or decide on a dispute that exceeds the order's total",
    flags: {
      chargeback: { value: 'ID', help: "the chargeback's id", required: true },
      to: { value: 'STATUS', help: 'the new status', required: true, oneOf: chargebackStates.states },
    },
    run: async ({ chargeback, to }) => (await chargebacks()).move(chargeback, to as ChargebackStatus),
  }),
]
