import { describe, expect, it } from 'vitest'
import { save } from '../modules/reconciliations/store.ts'
import { db } from '../platform/db/db.ts'
import { send } from '../testing/api.ts'
import { answer, cli, isRefused } from '../testing/command-line.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aSale, type Sale } from '../testing/money-back.ts'
import { ask, drainTasks, get, ordersOf, pass, subscriptionScenario } from '../testing/subscription-scenario.ts'

const of = ({ tenant }: Sale) => `--storefront ${tenant.storefrontId}`
const refundAll = async ({ key, orderId }: Sale): Promise<string> =>
  (await send(`POST /v1/orders/${orderId}/refunds/full`, { key })).body.id

it.each([
  'ledger balance --storefront storefront_nothing',
  'ledger entries --storefront storefront_nothing --mode live',
  'ledger balance --storefront storefront_nothing --mode both',
  'ledger reconcile --storefront storefront_nothing',
  'ledger balance',
  'ledger',
  'payout create --storefront storefront_nothing --mode test --amount 1.00',
  'payout create --amount 1.00 --mode test',
  'refund fail --refund refund_nothing',
  'chargeback raise --order order_nothing',
  'chargeback move --chargeback chargeback_nothing --to won',
  'chargeback move --chargeback chargeback_nothing --to undecided',
  'chargeback move --chargeback chargeback_nothing',
])('the command "%s" fails and prints one sentence', async (line) => {
  await isRefused(line)
})

describe('the ledger', () => {
  it('`ledger balance` prints the balances of a storefront’s accounts in the requested mode', async () => {
    const sale = await aSale({ price: '100.00' })
    const row = (account: string, amount: string) => ({ account, currency: 'EUR', amount })
    const books = [
      row('merchant_balance', '-94.50'),
      row('platform_fee', '-5.50'),
      row('provider_clearing', '121.00'),
      row('tax_payable', '-21.00'),
    ]
    expect(await answer(`ledger balance ${of(sale)} --json`)).toEqual(books)
    expect(await answer(`ledger balance ${of(sale)} --mode test --json`)).toEqual(books)
    expect(await answer(`ledger balance ${of(sale)} --mode live --json`)).toEqual([])
    const { stdout } = await cli(`ledger balance ${of(sale)}`)
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'account            currency  amount',
      'merchant_balance   EUR       -94.50',
    ])
    expect(await cli(`ledger balance ${of(sale)} --mode live`)).toMatchObject({ status: 0, stdout: '(none)\n' })
  })

  it('`ledger entries` prints the entries newest first, and the entries of each transaction sum to zero', async () => {
    const sale = await aSale({ price: '100.00' })
    const refundId = await refundAll(sale)
    await pass(sale, 'PT1M')
    const rows: { id: string; transactionId: string; amount: string; cause: string; createdAt: string }[] =
      await answer(`ledger entries ${of(sale)} --json`)
    expect(rows.map(({ cause }) => cause)).toEqual([
      ...Array(3).fill('refund.completed'),
      ...Array(3).fill('refund.processing'),
      ...Array(4).fill('order.paid'),
    ])
    expect(rows[0]).toEqual({
      id: expect.stringMatching(/^entry_[0-9A-Za-z]{22}$/),
      transactionId: expect.stringMatching(/^ledger_[0-9A-Za-z]{22}$/),
      account: expect.any(String),
      currency: 'EUR',
      amount: expect.stringMatching(/^-?\d+\.\d\d$/),
      createdAt: expect.stringMatching(/^2026-12-01T00:0\d:\d\dZ$/),
      cause: 'refund.completed',
      subjectId: refundId,
      orderId: sale.orderId,
    })
    expect(rows.map(({ id }) => id)).toEqual(
      rows
        .map(({ id }) => id)
        .sort()
        .reverse(),
    )
    const sums = new Map<string, number>()
    for (const { transactionId, amount } of rows)
      sums.set(transactionId, (sums.get(transactionId) ?? 0) + Math.round(Number(amount) * 100))
    expect([...sums.values()]).toEqual([0, 0, 0])
    expect(await answer(`ledger entries ${of(sale)} --limit 2 --json`)).toEqual(rows.slice(0, 2))
    expect(await answer(`ledger entries ${of(sale)} --mode live --json`)).toEqual([])
    for (const limit of ['0', '1001', '1.5', 'all']) await isRefused(`ledger entries ${of(sale)} --limit ${limit}`)
  })
})

it('`reconciliation show` and `reconciliation run` print an empty list if no live payment provider is configured', async () => {
  for (const verb of ['show', 'run']) expect(await answer(`reconciliation ${verb} --json`)).toEqual([])
})

it('`reconciliation show` and `reconciliation run` print the differences and exit with code 1 if our books differ from the provider’s books', async () => {
  const difference = {
    kind: 'payment_unknown',
    ref: 'tr_1',
    id: null,
    atProvider: '10.00 EUR, paid',
    ours: null,
  } as const
  const counted = { payments: 1, refunds: 0, chargebacks: 0, settlements: null }
  await save(db(), { ...counted, provider: 'mollie', differences: [difference], finishedAt: new Date() })
  for (const verb of ['show', 'run']) {
    const { status, stdout, stderr } = await cli(`reconciliation ${verb} --json`)
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject([{ provider: 'mollie', kind: 'payment_unknown', ref: 'tr_1' }])
  }
})

it('`ledger statement` prints a month as a table and as CSV', async () => {
  const sale = await aSale({ price: '100.00' })
  const rows = await answer(`ledger statement ${of(sale)} --period 2026-12 --json`)
  expect(rows.map(({ item, balance }: { item: string; balance: string }) => [item, balance])).toEqual([
    ['opening', '0.00'],
    ['order', '94.50'],
    ['closing', '94.50'],
  ])
  const { stdout } = await cli(`ledger statement ${of(sale)} --period 2026-12 --format csv`)
  expect(stdout).toContain('2026-12,provisional,EUR,order,1,121.00,-21.00,-5.50,0.00,94.50')
  expect((await isRefused(`ledger statement ${of(sale)} --period 2026-13`)).message).toContain(
    'a year, quarter or month',
  )
})

it('`payout create` refuses more than the amount owed to the storefront', async () => {
  const sale = await aSale({ price: '100.00' })
  const before = await answer(`ledger entries ${of(sale)} --json`)
  for (const [flags, sentence] of [
    ['--amount 94.51', '--amount: Must be at most the balance, 94.50 EUR.'],
    ['--amount 1.00 --currency USD', '--amount: Must be at most the balance, 0.00 USD.'],
    ['--amount 1.00 --mode live', '--amount: Must be at most the balance, 0.00 EUR.'],
    ['--amount 0.00', 'exactly two decimals'],
    ['--amount 5', 'exactly two decimals'],
    ['--amount 1.00 --currency GBP', '--amount: Must be at most the balance, 0.00 GBP.'],
    ['--amount 1.00 --currency JPY', '--currency must be EUR or USD or GBP or'],
  ] as const)
    expect((await isRefused(`payout create ${of(sale)} --mode test ${flags}`)).message, flags).toContain(sentence)
  expect(await answer(`ledger entries ${of(sale)} --json`)).toEqual(before)
  expect(await answer(`payout create ${of(sale)} --mode test --amount 50.00 --json`)).toEqual({
    testmode: true,
    payoutId: expect.stringMatching(/^payout_/),
    currency: 'EUR',
    amount: '50.00',
    balance: '44.50',
    isNew: true,
  })
  const balances = await answer(`ledger balance ${of(sale)} --json`)
  expect(balances).toContainEqual({ account: 'payouts', currency: 'EUR', amount: '-50.00' })
  expect(balances).toContainEqual({ account: 'merchant_balance', currency: 'EUR', amount: '-44.50' })
  expect((await cli(`payout create ${of(sale)} --mode test --amount 44.50`)).stdout).toMatch(/^balance: 0\.00$/m)
  expect(await brokenInvariants()).toEqual({})
})

it('the `payout` commands that change something are refused without --mode, and create no payout', async () => {
  const sale = await aSale({ price: '100.00' })
  for (const line of ['create --amount 1.00', 'request --amount 1.00', 'stop-account-change'])
    expect((await isRefused(`payout ${line} ${of(sale)}`)).message).toContain('needs --mode test|live')
  expect((await isRefused('payout export --out /tmp/never.xml')).message).toContain('needs --mode test|live')
  expect(await answer(`payout list ${of(sale)} --mode test --json`)).toEqual([])
})

it('the output of a `payout` command that changes something names the mode', async () => {
  const sale = await aSale({ price: '100.00' })
  const bank = '--holder Lumen --iban NL91ABNA0417164300'
  expect(await answer(`payout request ${of(sale)} --mode test --amount 1.00 --json`)).toMatchObject({ testmode: true })
  for (const [mode, testmode] of [
    [' --mode test', true],
    [' --mode live', false],
  ] as const) {
    expect(await answer(`payout set-account ${of(sale)} ${bank}${mode} --json`), mode).toMatchObject({ testmode })
    const stopped = await answer(`payout stop-account-change ${of(sale)}${mode} --json`)
    expect(stopped, mode).toMatchObject({ testmode, accountId: expect.any(String) })
  }
  const { stdout } = await cli(`payout create ${of(sale)} --mode test --amount 1.00`)
  expect(stdout).toMatch(/^testmode: true$/m)
})

it('`refund fail` makes the test bank reject a refund, unless the refund is complete', async () => {
  const sale = await aSale({ price: '100.00' })
  const refundId = await refundAll(sale)
  const refused = { refundId, status: 'pending', bank: 'refuses' }
  expect(await answer(`refund fail --refund ${refundId} --json`)).toEqual(refused)
  expect(await answer(`refund fail --refund ${refundId} --json`)).toEqual(refused)
  await pass(sale, 'PT1M')
  expect(await get(sale.key, `/v1/refunds/${refundId}`)).toMatchObject({ status: 'failed' })
  expect((await isRefused(`refund fail --refund ${refundId}`)).message).toBe('--refund: The refund is already failed.')
  const next = await refundAll(sale)
  await pass(sale, 'PT1M')
  expect((await isRefused(`refund fail --refund ${next}`)).message).toBe('--refund: The refund is already refunded.')
  expect(await brokenInvariants()).toEqual({})
})

describe('a chargeback', () => {
  it('the `chargeback` commands raise a chargeback for all or part of a payment, and move it to a final state', async () => {
    const sale = await aSale({ price: '100.00' })
    const part = await answer(`chargeback raise --order ${sale.orderId} --amount 12.10 --reason duplicate --json`)
    expect(part).toEqual({
      chargebackId: expect.stringMatching(/^chargeback_/),
      orderId: sale.orderId,
      status: 'pending',
      currency: 'EUR',
      amount: '12.10',
      settlementAmount: '27.10',
      total: '12.10',
      subtotal: '10.00',
      creditNoteId: null,
    })
    const { chargebackId } = part
    expect(await get(sale.key, `/v1/chargebacks/${chargebackId}`)).toMatchObject({ reason: 'duplicate' })
    const long = 'x'.repeat(256)
    expect((await isRefused(`chargeback raise --order ${sale.orderId} --reason ${long}`)).message).toContain('255')
    const move = `chargeback move --chargeback ${chargebackId} --to`
    expect((await isRefused(`${move} rejected`)).message).toBe(
      '--to: A chargeback that is pending cannot become rejected.',
    )
    expect(await answer(`${move} evidence_submitted --json`)).toEqual({ ...part, status: 'evidence_submitted' })
    for (const to of ['pending', 'accepted', 'evidence_submitted', 'requires_amount_review'])
      await isRefused(`${move} ${to}`)
    const lost = await answer(`${move} lost --json`)
    expect(lost).toEqual({ ...part, status: 'lost', creditNoteId: expect.stringMatching(/^order_/) })
    for (const to of ['won', 'lost']) await isRefused(`${move} ${to}`)

    const rest = await answer(`chargeback raise --order ${sale.orderId} --json`)
    expect(rest).toMatchObject({ amount: '121.00', total: '108.90', subtotal: '90.00' })
    expect(await get(sale.key, `/v1/chargebacks/${rest.chargebackId}`)).toMatchObject({ reason: 'fraud' })
    expect(await answer(`chargeback move --chargeback ${rest.chargebackId} --to won --json`)).toMatchObject({
      status: 'won',
      creditNoteId: null,
    })
    expect((await isRefused(`chargeback raise --order ${lost.creditNoteId}`)).message).toBe(
      '--order: The order is a credit note.',
    )
    expect(await brokenInvariants()).toEqual({})
  })

  it('a chargeback above the remaining amount waits until an operator accepts or rejects it', async () => {
    const sale = await aSale({ price: '100.00' })
    const raised = await answer(`chargeback raise --order ${sale.orderId} --amount 121.01 --json`)
    expect(raised).toMatchObject({
      status: 'requires_amount_review',
      amount: '121.01',
      settlementAmount: '0.00',
      total: '0.00',
      subtotal: '0.00',
    })
    const move = `chargeback move --chargeback ${raised.chargebackId} --to`
    for (const to of ['won', 'lost', 'pending', 'evidence_submitted', 'requires_amount_review'])
      await isRefused(`${move} ${to}`)
    expect(await answer(`${move} accepted --json`)).toMatchObject({
      status: 'accepted',
      settlementAmount: '136.00',
      total: '121.00',
      creditNoteId: expect.stringMatching(/^order_/),
    })
    await drainTasks()
    const difference = { difference: '-0.01', takenOverCounted: '-0.01', unexplained: '0.00' }
    expect(await answer(`ledger reconcile ${of(sale)} --json`)).toMatchObject([
      { currency: 'EUR', ...difference, chargebacks: [raised.chargebackId] },
    ])
    expect((await isRefused(`ledger reconcile ${of(sale)} --mode live`)).message).toBe(
      '--mode: Must be test. `reconciliation run` compares live payments with the books of their provider.',
    )
    for (const to of ['rejected', 'accepted']) await isRefused(`${move} ${to}`)
    expect(await brokenInvariants()).toEqual({})
  })

  it('`chargeback raise` refuses a payment that is unknown to the test bank, and an invalid amount', async () => {
    const scenario = await subscriptionScenario({ item: { trialDays: 1 } })
    const [trial] = await ordersOf(scenario)
    expect((await isRefused(`chargeback raise --order ${trial.id}`)).message).toBe('--order: The order has no payment.')
    await pass(scenario, 'P1D')
    await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', { paymentStatus: 'paid' })
    const simulated = (await ordersOf(scenario)).at(-1)
    expect((await isRefused(`chargeback raise --order ${simulated.id}`)).message).toMatch(/simulated/)
    const paid = (await ordersOf(scenario)).at(1)
    for (const amount of ['0.00', '-1.00', '1', '1.001', '100000000.00', 'all'])
      expect((await isRefused(`chargeback raise --order ${paid.id} --amount ${amount}`)).message).toMatch(/^--amount/)
    expect(await get(scenario.key, '/v1/chargebacks')).toMatchObject({ data: [] })
    expect(await brokenInvariants()).toEqual({})
  })
})

describe('figures rebuild', () => {
  it('`figures rebuild` corrects the daily figures and lists each figure that was wrong', async () => {
    const sale = await aSale({ price: '100.00' })
    await pass(sale, 'P2D')
    expect(await answer(`figures rebuild ${of(sale)} --mode live --json`)).toEqual([])
    // The first rebuild reports no wrong figures, because no figures were stored before.
    expect(await answer(`figures rebuild ${of(sale)} --mode test --json`)).toEqual([])
    await db().$executeRaw`UPDATE daily_figures SET sales = 0 WHERE storefront_id = ${sale.tenant.storefrontId}`
    expect(await answer(`figures rebuild ${of(sale)} --mode test --json`)).toEqual([
      {
        storefront: sale.tenant.storefrontId,
        mode: 'test',
        day: '2026-12-01',
        currency: 'EUR',
        figure: 'sales',
        before: '0',
        after: '10000',
      },
    ])
    const { stdout } = await cli(`figures rebuild ${of(sale)}`)
    expect(stdout).toContain('All figures agree with events and ledger.')
    await isRefused('figures rebuild --storefront storefront_nothing')
  })
})
