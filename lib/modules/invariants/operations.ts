import { everywhere, realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { isQueued } from '../../platform/jobs/is-queued.ts'
import { snoozeTask, type TaskContext } from '../../platform/jobs/tasks.ts'
import { log } from '../../platform/log.ts'
import { entries, isKeyKnown } from '../audit/store.ts'
import { type Verification, verifyAudit } from '../audit/verify.ts'
import { type Transaction, transact } from '../events/transact.ts'
import { invariants } from './queries/index.ts'
import type { InvariantId } from './queries/query.ts'
import { dayOf, nextNight } from './rules/night.ts'
import * as store from './store.ts'
import { nightlyCheck, requestedCheck } from './tasks.ts'

export interface Finding {
  readonly invariant: InvariantId | 'A'
  readonly name: string
  readonly status: 'ok' | 'broken'
  readonly count: number
  readonly ids: readonly string[]
}

/** Checks one snapshot of the database, so that no check sees a part of a transaction. */
export const checkAll = (): Promise<Finding[]> =>
  store.onSnapshot(async (sql) => {
    const findings: Finding[] = []
    for (const { of, name, query } of invariants) {
      const { count, ids } = await store.findViolations(sql, query)
      findings.push({ invariant: of, name, status: count === 0 ? 'ok' : 'broken', count, ids })
    }
    // A command whose `SECRET_KEY` differs from the key of the servers cannot verify the audit log, so the command
    // skips this check.
    return (await isKeyKnown(sql)) ? [...findings, auditFinding(await verifyAudit(sql))] : findings
  })

const auditFinding = ({ brokenAt }: Verification): Finding => ({
  invariant: 'A',
  name: 'the audit log is whole and ends where it was written',
  status: brokenAt === null ? 'ok' : 'broken',
  count: brokenAt === null ? 0 : 1,
  ids: brokenAt === null ? [] : [String(brokenAt)],
})

export async function check(): Promise<Finding[]> {
  const findings = await checkAll()
  await store.saveCheck(db(), outcomeOf(findings))
  return findings
}

export async function checkAtNight(tenant: TaskContext, { day }: { day: string }): Promise<void> {
  // Postpones the task, so that no other process starts the same check while this check runs.
  await snoozeTask(db(), tenant.claim, { ms: store.longestMs, mostMs: store.longestMs })
  const findings = await checkAll()
  const broken = findings.filter(({ status }) => status === 'broken')
  if (broken.length === 0) log.info({ day, invariants: findings.length }, 'all invariants hold')
  else log.error({ day, broken }, 'invariants are broken')
  // Logs the newest audit entry: a copy outside the database reveals whether an older audit log was restored.
  const [last] = await entries(db(), { before: null }, 1)
  if (last)
    log.info(
      { day, seq: String(last.seq), hash: Buffer.from(last.hash).toString('hex') },
      'last entry of the audit log',
    )
  await transact(tenant, async (tx) => {
    await store.saveCheck(tx.sql, outcomeOf(findings))
    const thisNight = nextNight(new Date(`${day}T00:00:00Z`))
    await putNext(tx, new Date(Math.max(realNow().getTime(), thisNight.getTime())))
  })
}

/** Enqueues a check that runs as soon as a process is free. At most one such check waits in the queue. */
export const requestCheck = (): Promise<void> =>
  transact(everywhere, async ({ sql, enqueue }) => {
    if (await isQueued(sql, requestedCheck.name)) return
    await enqueue(requestedCheck, { key: 'requested', data: {}, dueAt: realNow() })
  })

export const isCheckRequested = (): Promise<boolean> => isQueued(db(), requestedCheck.name)

export async function checkRequested(tenant: TaskContext): Promise<void> {
  await snoozeTask(db(), tenant.claim, { ms: store.longestMs, mostMs: store.longestMs })
  const findings = await checkAll()
  await transact(tenant, (tx) => store.saveCheck(tx.sql, outcomeOf(findings)))
}

export const planChecks = (): Promise<void> =>
  transact(everywhere, async (tx) => {
    if (!(await isQueued(tx.sql, nightlyCheck.name))) await putNext(tx, realNow())
  })

async function putNext({ enqueue }: Transaction, after: Date): Promise<void> {
  const dueAt = nextNight(after)
  const day = dayOf(dueAt)
  await enqueue(nightlyCheck, { key: day, data: { day }, dueAt })
}

export const nameOf = ({ of, name }: { of: Finding['invariant']; name: string }): string => `${of} ${name}`

function outcomeOf(findings: readonly Finding[]) {
  const broken = findings.filter(({ status }) => status === 'broken')
  const finishedAt = realNow()
  return {
    day: dayOf(finishedAt),
    finishedAt,
    broken: Object.fromEntries(broken.map(({ invariant, name, ids }) => [nameOf({ of: invariant, name }), ids])),
  }
}
