import { currencies } from '../kernel/currencies.ts'
import { EmailRejected, reachMailServer } from '../modules/emails/smtp.ts'
import { servingRates } from '../modules/exchange/rates.ts'
import { countStaff } from '../modules/operators/store.ts'
import type { PaymentProvider } from '../modules/payments/provider.ts'
import { accountsOf } from '../modules/provider-accounts/store.ts'
import { listRegistrations } from '../modules/tax/operations.ts'
import { realNow } from '../platform/clock/clock.ts'
import { type Config, config, InvalidConfig } from '../platform/config.ts'
import { isLiveProvider, liveProvider } from '../platform/config-providers.ts'
import { db } from '../platform/db/db.ts'
import { replicaItself } from '../platform/db/replica.ts'
import { geoDatabaseDay } from '../platform/http/visitor-country.ts'
import { serviceProblems } from '../platform/outbound/service-problems.ts'
import { problemText } from '../platform/short-error.ts'
import { within } from '../platform/within.ts'
import { connectedProviders, hmrcProblem } from '../providers/index.ts'
import { checkAccounts } from '../workflows/provider-accounts/fit.ts'
import { readArchiving } from './archiving.ts'
import { type Diagnosis, diagnose, type Installation, invalidSettings } from './doctor-rules.ts'
import { missingMigrations } from './migrations.ts'
import { readiness } from './readiness.ts'
import { secretKeyProblem, unreadableKinds } from './secret-key.ts'
import { databaseProblem } from './usable-database.ts'

const patienceMs = 10_000

/**
 * Runs all checks. If the configuration is invalid, returns only the invalid variables, because all other checks need
 * the configuration.
 */
export async function doctor(): Promise<Diagnosis[]> {
  try {
    const set = config()
    // The settings of this process can differ from the settings of the service, so the checks report nothing to `/readyz`.
    return await serviceProblems().unreported(() => diagnosed(set))
  } catch (error) {
    if (error instanceof InvalidConfig) return invalidSettings(error.sentences)
    throw error
  }
}

async function diagnosed(set: Config): Promise<Diagnosis[]> {
  const missing = await missingMigrations()
  // While a migration is missing, checks that query the database are skipped, because a table could be missing.
  const known = <Known>(ask: () => Promise<Known>) => (missing.length === 0 ? ask() : null)
  const [address, payments, settlements, mail, inngest, database, replica, staff, geo, hmrc] = await Promise.all([
    problemOf(reachItself),
    problemOf(async () => {
      await Promise.all(
        (await connectedProviders()).map((each) => named(each, () => newestOf(each.recentChargebacks?.()))),
      )
      await checkAccounts()
    }),
    problemOf(async () =>
      Promise.all(
        (await connectedProviders()).map((each) =>
          named(each, async () => {
            const missing = (await each.missingPermissions?.()) ?? []
            if (missing.length > 0) throw new Error(`the access token lacks ${missing.join(', ')}`)
            await newestOf(await each.settlements?.(new Date()))
          }),
        ),
      ),
    ),
    problemOf(async () => set.mail && reachMailServer(set.mail)),
    problemOf(async () => set.inngest?.baseUrl && reach(set.inngest.baseUrl)),
    databaseOf(),
    replicaOf(),
    known(() => countStaff(db())),
    geoDatabase(),
    hmrcProblem(),
  ])
  const ownAccounts = await known(() => accountsOf(db()))
  const today = realNow().toISOString().slice(0, 10)
  const registrations = await known(() => listRegistrations())
  const rates = await known(() => servingRates(db(), realNow()))
  const { invariants, tasks } = await readiness()
  return diagnose({
    config: set,
    problems: { address, payments, settlements, mail, inngest, countries: geo.problem, hmrc },
    countriesOn: geo.day,
    today,
    database: { ...database, missingMigrations: missing },
    replica,
    rates: rates && {
      newest:
        [...rates.values()]
          .map(({ day }) => day)
          .sort()
          .at(-1) ?? null,
      missing: currencies.filter((currency) => currency !== 'EUR' && !rates.has(currency)),
    },
    registrations: registrations?.filter(({ until }) => until === null || until >= today).length ?? null,
    ownAccounts: ownAccounts?.filter(({ endedAt }) => endedAt === null).length ?? null,
    staff,
    invariants,
    tasks,
    secretKey: (await known(async () => (await secretKeyProblem()) ?? 'ok')) ?? 'unknown',
    unreadable: (await known(unreadableKinds)) ?? [],
  })
}

/** Names the provider and its address in a failure, because several providers can be connected. */
async function named({ name }: PaymentProvider, ask: () => Promise<void>): Promise<void> {
  try {
    await ask()
  } catch (cause) {
    if (!isLiveProvider(name)) throw cause
    throw new Error(`${liveProvider(name).title} at ${config().providerBases[name]}: ${problemText(cause)}`)
  }
}

async function newestOf(list: AsyncIterable<unknown> | null | undefined): Promise<void> {
  for await (const _ of list ?? []) return
}

async function problemOf(ask: () => Promise<unknown>): Promise<string | null> {
  try {
    await within(patienceMs, ask())
    return null
  } catch (error) {
    return (error instanceof EmailRejected ? `it ${error.problem}` : problemText(error)).replace(/\.$/, '')
  }
}

async function geoDatabase(): Promise<{ day: string | null; problem: string | null }> {
  let day: string | null = null
  const problem = await problemOf(async () => {
    day = await geoDatabaseDay(config().geoDatabase)
  })
  return { day, problem }
}

async function reachItself(): Promise<void> {
  const { publicBaseUrl } = config()
  if (publicBaseUrl.startsWith('https:')) await reach(`${publicBaseUrl}/livez`)
}

async function reach(url: string): Promise<void> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`it responds with ${response.status}`)
}

async function databaseOf(): Promise<Omit<Installation['database'], 'missingMigrations'>> {
  const before = Date.now()
  const [row] = await db().$queryRaw<
    { version: number; isDurable: boolean; at: number }[]
  >`SELECT current_setting('server_version_num')::int / 10000 AS version,
      current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS "isDurable",
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at`
  if (!row) throw new Error('the database returned no row')
  const { at, ...settings } = row
  const aheadMs = Math.round(at - (before + Date.now()) / 2)
  return { ...settings, aheadMs, problem: await databaseProblem(), archiving: await readArchiving(db()) }
}

async function replicaOf(): Promise<Installation['replica']> {
  const replica = replicaItself()
  if (replica === null) return null
  const found = { isStandby: false, missingMigrations: [] as string[] }
  const problem = await problemOf(async () => {
    const [row] = await replica.$queryRaw<{ isStandby: boolean }[]>`SELECT pg_is_in_recovery() AS "isStandby"`
    found.isStandby = row?.isStandby ?? false
    found.missingMigrations = await missingMigrations(replica)
  })
  return { problem, ...found }
}
