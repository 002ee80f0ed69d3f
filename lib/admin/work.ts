import { type Backlog, backlogs, mostWaiting } from '../modules/accounts/backlog.ts'
import { storefrontNames } from '../modules/accounts/store.ts'
import { isCheckRequested, nameOf, requestCheck } from '../modules/invariants/operations.ts'
import type { BacklogRow, InvariantsPage, WorkPage } from '../modules/invariants/page.ts'
import { invariants } from '../modules/invariants/queries/index.ts'
import { newestCheck, newestChecks } from '../modules/invariants/store.ts'
import { newest } from '../modules/reconciliations/store.ts'
import { isEverywhere } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { dueByQueue, failingTasks } from '../platform/jobs/due-tasks.ts'
import { queues } from '../platform/jobs/tasks.ts'
import { type ServiceName, serviceTroubles } from '../providers/index.ts'
import { staffOn } from './access.ts'
import type { Next } from './form-state.ts'

const mostShown = 100

export async function workPage(cookies: string | null): Promise<WorkPage | null> {
  if (!(await staffOn('work', cookies))) return null
  const [due, failing, check] = [await dueByQueue(), await failingTasks(mostShown), await newestCheck(db())]
  const names = await storefrontNames(
    db(),
    failing.map(({ storefrontId }) => storefrontId),
  )
  return {
    queues: queues.map((name) => ({ name, due: due.get(name)?.count ?? 0, lateSeconds: due.get(name)?.lag ?? 0 })),
    deliveries: (await backlogs(db(), 'deliveries', mostShown)).map((each) => backlogRow(each, 'deliveries')),
    emails: (await backlogs(db(), 'emails', mostShown)).map((each) => backlogRow(each, 'emails')),
    mostCounted: mostWaiting,
    services: await servicesOf(),
    failing: failing.map(({ id, name, storefrontId, testmode, attempts, lastError, runAt }) => ({
      id,
      name,
      attempts,
      lastError,
      runAt: runAt.toISOString(),
      storefrontUrl: isEverywhere({ storefrontId }) ? null : `/admin/${testmode ? 'test' : 'live'}/${storefrontId}`,
      storefront: names.get(storefrontId) ?? null,
    })),
    check: check && {
      finishedAt: check.finishedAt.toISOString(),
      broken: Object.entries(check.broken).map(([name, ids]) => ({ name, ids })),
    },
    reconciliations: (await newest(db())).map(({ finishedAt, settlements, ...each }) => ({
      ...each,
      settlements: settlements?.length ?? 0,
      paidOut: settlements ?? [],
      finishedAt: finishedAt.toISOString(),
    })),
  }
}

const servicesOf = async () =>
  Object.entries(await serviceTroubles()).map(([name, trouble]) => ({
    name: name as ServiceName,
    trouble: trouble && { ...trouble, since: trouble.since.toISOString() },
  }))

const backlogRow = (
  { storefrontId, storefront, testmode, waiting, oldestAt, failed, unreadable }: Backlog,
  section: 'deliveries' | 'emails',
): BacklogRow => {
  const mode = testmode ? 'test' : 'live'
  return {
    storefront,
    mode,
    waiting,
    failed,
    unreadable,
    oldestAt: oldestAt?.toISOString() ?? null,
    url: `/admin/${mode}/${storefrontId}/${section}`,
  }
}

/**
 * Returns the stored violations of invariants that `invariants` does not list: a broken audit log, or an invariant that
 * was renamed after the check.
 */
function brokenElsewhere(broken: Readonly<Record<string, readonly string[]>>) {
  const known = new Set(invariants.map(nameOf))
  return Object.entries(broken).flatMap(([stored, brokenBy]) => {
    const [of = '', ...name] = stored.split(' ')
    return known.has(stored) ? [] : [{ of, name: name.join(' '), brokenBy }]
  })
}

const checksShown = 14

export async function invariantsPage(cookies: string | null): Promise<InvariantsPage | null> {
  if (!(await staffOn('invariants', cookies))) return null
  const check = await newestCheck(db())
  const history = await newestChecks(db(), checksShown)
  return {
    checkedAt: check?.finishedAt.toISOString() ?? null,
    isRequested: await isCheckRequested(),
    invariants: [
      ...invariants.map((each) => ({
        of: each.of,
        name: each.name,
        brokenBy: check && (check.broken[nameOf(each)] ?? []),
      })),
      ...brokenElsewhere(check?.broken ?? {}),
    ],
    history: history.map(({ day, finishedAt, broken }) => ({
      day,
      finishedAt: finishedAt.toISOString(),
      broken: Object.keys(broken).length,
    })),
  }
}

export async function submitInvariants(form: URLSearchParams, cookies: string | null): Promise<Next | null> {
  if (!(await staffOn('invariants', cookies))) return null
  if (form.get('intent') !== 'check') return { redirectTo: '/admin/invariants' }
  await requestCheck()
  return { redirectTo: '/admin/invariants?done=requested' }
}
