import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import * as outcome from '../../providers/sandbox/outcome.ts'
import { amount, isLongForm } from '../../testing/amount.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { seen, tally } from '../../testing/model/command.ts'
import { commands, firstBuying } from '../../testing/model/commands.ts'
import { aRealShop, deleteEverything } from '../../testing/model/real.ts'
import { chargebackStatuses } from '../../testing/model/reversal.ts'
import { newWorld, type Plan, settlementSeconds } from '../../testing/model/world.ts'

/**
 * Runs random operations on subscriptions. After each operation, compares the service with a small model that follows
 * the documentation. A failure prints its seed and the shortest failing commands. `npm run test:model -- --seed S
 * --path P --replay R` repeats these commands. P is `path`, and R is the value of `replayPath`. `--runs N` runs for longer.
 */

const { MODEL_SEED, MODEL_RUNS, MODEL_PATH, MODEL_REPLAY } = process.env
const runs = Number(MODEL_RUNS ?? 14)
/**
 * The seeds, each with the number (`path`) of the one run to make. Without a path, all `runs` are made. `npm test` must
 * give the same result for the same commit, so the seeds are fixed, and its runs together reach every state that the
 * last test requires. `npm run test:model` uses other seeds.
 */
const chosen: readonly (readonly [seed: number, path: string | undefined])[] = MODEL_SEED
  ? [[Number(MODEL_SEED), MODEL_PATH]]
  : isLongForm
    ? [101, 109, 116].map((seed) => [seed, undefined] as const)
    : [
        ...['0', '1'].map((path) => [101, path] as const),
        ...['0', '6', '8'].map((path) => [109, path] as const),
        ...['3', '4', '8'].map((path) => [116, path] as const),
      ]

// The test replaces the settlement time with a constant, because this time is the only random part of the test
// provider.
vi.spyOn(outcome, 'settlementSeconds').mockReturnValue(settlementSeconds)

const start = new Date('2027-01-31T10:00:00Z')

const plan = (name: string, price: bigint, interval: Plan['interval'], intervalCount = 1, inclusive = false): Plan => ({
  name,
  price,
  interval,
  intervalCount,
  inclusive,
  archived: false,
})

const plans = () => [
  plan('Basic', 1000n, 'month'),
  plan('Pro', 3000n, 'month'),
  plan('Yearly', 10_000n, 'year'),
  plan('Weekly', 700n, 'week'),
  plan('Quarterly', 2500n, 'month', 3),
  plan('Gross', 1210n, 'month', 1, true),
  plan('Gross Pro', 2999n, 'month', 1, true),
  plan('Often', 100n, 'day', 3),
]

const property = fc.asyncProperty(
  firstBuying,
  fc.commands(commands, { maxCommands: 40, size: 'max', ...(MODEL_REPLAY && { replayPath: MODEL_REPLAY }) }),
  async (first, rest) => {
    const model = newWorld(start, plans())
    const real = await aRealShop(model.plans, start)
    try {
      await first.run(model, real)
      await fc.asyncModelRun(() => ({ model, real }), rest)
      expect(await brokenInvariants()).toEqual({})
    } finally {
      await deleteEverything()
    }
  },
)

const commandsRun = () => [...tally.values()].reduce((sum, each) => sum + each, 0)

/**
 * Lists each response that occurred, such as `refund 422`, and each field that the response named, such as `refund 422
 * items.N.amount`.
 */
const answers = () =>
  [...tally.keys()].flatMap((counted) => {
    const [, answer = '', fields = ''] = /^(.* \d{3}) ?(.*)$/.exec(counted) ?? []
    return [answer, ...fields.split(' ').map((field) => `${answer} ${field.replace(/\d+/, 'N')}`)]
  })

const answersAboutMoney = [
  ...['refund 201', 'refund all 201', 'cancel refund 204', 'refund fail 200', 'chargeback 200', 'move chargeback 200'],
  ...[
    'refund 422 orderId',
    'refund 422 items.N.itemId',
    'refund 422 items.N.amount',
    'refund 422 items.N.amount.value',
  ],
  ...['refund all 422 orderId', 'cancel refund 422', 'refund fail 422 refund', 'credit note 422 orderId'],
  ...['chargeback 422 order', 'chargeback 422 amount', 'move chargeback 422 to', 'credit note 422 order'],
  ...['payout 200', 'payout 422 amount'],
  ...['return debit 200', 'pay owed sale 200', 'end recovery 422', 'metadata 200', 'portal 200'],
]
const money = [
  ...['pending', 'queued', 'refunded', 'failed', 'canceled'].map((status) => `${status} refund`),
  ...chargebackStatuses.map((status) => `${status} chargeback`),
]

describe('the service agrees with the model', () => {
  it.each(chosen)(
    'the service and the reference model have the same results for the random commands of seed %s (path %s)',
    { timeout: 4 * 3_600_000 },
    async (seed, path) => {
      const [before, begun] = [commandsRun(), performance.now()]
      await fc.assert(property, {
        seed,
        numRuns: MODEL_SEED || MODEL_RUNS || isLongForm ? runs : 1,
        ...(path && { path }),
      })
      const seconds = Math.round((performance.now() - begun) / 1000)
      console.log(`model test, seed ${seed}: ${commandsRun() - before} commands in ${seconds} s`)
      if (MODEL_SEED) console.log(Object.fromEntries([...tally].sort()), [...seen].sort())
    },
  )

  if (!MODEL_SEED)
    it('the random commands reach every possible state of payments, refunds, and disputes', () => {
      expect(commandsRun()).toBeGreaterThanOrEqual(amount({ short: 100, long: 300 }))
      const occurred = new Set([...answers(), ...seen])
      expect([...answersAboutMoney, ...money].filter((each) => !occurred.has(each))).toEqual([])
    })
})
