import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { lockChargedOnTaxId } from '../../modules/subscriptions/by-tax-id.ts'
import { nextRenewalAt } from '../../modules/subscriptions/rules/index.ts'
import { findSubscription, findSubscriptions } from '../../modules/subscriptions/store.ts'
import { canonicalTaxId, isInForce, registryFor, type TaxIdRegistry } from '../../modules/tax/rules/index.ts'
import {
  answerKeptMs,
  isStillSilent,
  nextQuestion,
  silenceKeptMs,
  type TaxIdCheck,
} from '../../modules/tax/rules/tax-id-checks.ts'
import { allRegistrations, decisiveChecks, insertCheck } from '../../modules/tax/store.ts'
import type { checkTaxIdLater } from '../../modules/tax/tasks.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { sharedLimits } from '../../platform/http/shared-limits.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { askHmrc, askVies } from '../../providers/index.ts'
import { announceChangedCharge } from '../customer-emails/changed-charge.ts'
import { knownFacts } from './known-facts.ts'

/**
 * The maximum number of checks per minute: `checkout` for one checkout, and `storefront` for one payment link or for one storefront. Without limits, a caller
 * with many IDs could make the registry block the whole installation.
 */
const mostQuestions = { checkout: 10, storefront: 60 } as const
const questions = sharedLimits().limiter('tax ID', 10_000)

type Asker = Pick<TaxIdCheck, 'checkoutId' | 'customerId'>
const ourselves: Asker = { checkoutId: null, customerId: null }

function mayAsk({ storefrontId }: Tenant, { checkoutId }: Asker, paymentLinkId: string | null): boolean {
  const perMinute = checkoutId === null ? mostQuestions.storefront : mostQuestions.checkout
  return questions.take(checkoutId ?? paymentLinkId ?? storefrontId, perMinute, realNow().getTime(), perMinute).allowed
}

/**
 * Never call this function in a transaction, because it waits for another server. If a limit of `mostQuestions` is
 * reached, the tax ID is not checked, so tax is charged.
 */
export async function withTaxFacts(
  tenant: Tenant,
  choice: BuyerChoice,
  asker: Asker,
  paymentLinkId: string | null = null,
): Promise<BuyerChoice> {
  if (tenant.testmode) return choice
  const { taxId } = choice
  const registry = askedFor({ ...choice, buyerCountry: choice.country })
  if (taxId && registry) {
    const canonical = canonicalTaxId(taxId)
    const [known] = await decisiveChecks(db(), tenant, [canonical], before(answerKeptMs))
    if ((!known || isStaleSilence(known)) && mayAsk(tenant, asker, paymentLinkId)) {
      const check = await ask(registry, canonical, { asker, waiting: 'page' })
      await transact(tenant, (tx) => keepAnswer(tx, check))
    }
  }
  return knownFacts(db(), tenant, choice)
}

const before = (ms: number): Date => new Date(realNow().getTime() - ms)

const isStaleSilence = (check: TaxIdCheck): boolean =>
  check.result === 'unknown' && check.checkedAt < before(silenceKeptMs) && !isStillSilent(check, realNow())

/**
 * Returns the registry to ask. Returns null if the tax does not depend on a registry, or if the credentials for HMRC
 * are missing.
 */
function askedFor(sale: Parameters<typeof registryFor>[0]): TaxIdRegistry | null {
  const registry = registryFor(sale)
  return registry === 'hmrc' && !config().hmrc ? null : registry
}

async function ask(
  source: TaxIdRegistry,
  taxId: string,
  { asker, waiting }: { asker: Asker; waiting: 'page' | 'background' },
): Promise<TaxIdCheck> {
  const answer = source === 'vies' ? await askVies(taxId, waiting) : await askHmrc(taxId, await britishNumber())
  const checkedAt = realNow()
  return { ...answer, id: newId('check_', checkedAt), ...asker, taxId, source, checkedAt }
}

async function britishNumber(): Promise<string | null> {
  const today = realNow().toISOString().slice(0, 10)
  const all = await allRegistrations(db())
  const own = all.find((each) => each.country === 'GB' && each.scheme === 'local' && isInForce(each, today))
  return own?.number ?? null
}

/**
 * Checks the tax ID at the registry. Repeats the task for at most 30 days while the registry does not respond. Sends no
 * request during a persistent error of the registry.
 */
export async function askAgain(
  context: TaskContext,
  { taxId, country, freshSince, begunAt, renewal }: z.infer<typeof checkTaxIdLater.data>,
): Promise<void> {
  if (renewal && !(await isPlanned(context, renewal, taxId))) return transact(context, async () => undefined)
  const registry = askedFor({ taxId, buyerCountry: country, sellerCountry: config().seller.country })
  const [known] = await decisiveChecks(db(), context, [taxId], new Date(freshSince))
  const isAnswered = known !== undefined && known.result !== 'unknown'
  const silent = known && isStillSilent(known, realNow()) ? known : null
  const check =
    registry && !isAnswered && !silent ? await ask(registry, taxId, { asker: ourselves, waiting: 'background' }) : null
  const last = registry ? (check ?? silent) : null
  await transact(context, async (tx) => {
    if (check) await keepAnswer(tx, check)
    const dueAt = last?.result === 'unknown' ? nextQuestion(new Date(begunAt), last.checkedAt, last.error) : null
    return dueAt ? new Reschedule(dueAt) : undefined
  })
}

/** Whether the check is still needed. True after the time of the renewal, because the response can still change the tax of later charges. */
async function isPlanned(
  tenant: Tenant,
  { subscriptionId, at }: { subscriptionId: string; at: string },
  taxId: string,
): Promise<boolean> {
  if (realNow() >= new Date(at)) return true
  const subscription = await findSubscription(db(), tenant, subscriptionId)
  const renewsAt = subscription && nextRenewalAt(subscription)
  if (!renewsAt || toWire(renewsAt) !== at) return false
  return canonicalTaxId(subscription.billingAddress.taxId ?? '') === taxId
}

/** Stores the check. If the response changes the tax of the next charges, announces these charges again. */
async function keepAnswer(tx: Transaction, check: TaxIdCheck): Promise<void> {
  const { sql, ...tenant } = tx
  const { taxId, result } = check
  const [known] = await decisiveChecks(sql, tenant, [taxId])
  // A missing response does not replace an earlier response.
  const changesTax = known !== undefined && result !== known.result && result !== 'unknown'
  const before = changesTax ? await lockChargedOnTaxId(sql, tenant, taxId) : []
  await insertCheck(sql, tenant, check)
  if (before.length === 0) return
  const after = await findSubscriptions(
    sql,
    tenant,
    before.map(({ id }) => id),
  )
  const byId = new Map(after.map((each) => [each.id, each]))
  for (const each of before) await announceChangedCharge(tx, each, byId.get(each.id) ?? each)
}
