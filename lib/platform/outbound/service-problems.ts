import { db } from '../db/db.ts'
import { every } from '../every.ts'
import { Outage } from '../outage.ts'

/**
 * Problems of external services, in the table `service_problems`, so that `/readyz`, `/metrics`, and the admin area show the same problems in every process.
 * The first process that gets a response from the service removes the problem.
 */

/**
 * `payments`: the provider does not respond, responds with an error, or refuses the API key. `key`: the API key belongs to an account that
 * does not have our payments. `account`: the provider reports a problem of the account. The other kinds name a server that cannot be used.
 */
const serviceKinds = ['payments', 'key', 'account', 'mail', 'vies', 'hmrc', 'rates', 'inngest'] as const
type ServiceKind = (typeof serviceKinds)[number]

export interface Service {
  readonly kind: ServiceKind
  /** `PaymentProvider.name`, or the member state whose registry VIES queries. Absent for kinds with one service. */
  readonly account?: string
  /** The purpose for which an account has the problem. Absent if a service has at most one problem. */
  readonly purpose?: string
}

export interface ServiceProblem {
  readonly service: Service
  /** A short phrase without a period, secrets, or personal data. */
  readonly problem: string
  readonly since: Date
}

/**
 * Milliseconds from the last report of a problem until the problem expires. Tasks retry within five minutes, so a
 * lasting problem is reported again before it expires.
 */
const holdsForMs = 600_000
const renewEveryMs = 10_000
const shareEveryMs = 1_000
const lookEveryMs = 5_000

/** A problem that this process saw. Times are in milliseconds of `performance.now()`. */
interface Seen {
  readonly problem: string
  readonly since: number
  readonly at: number
  readonly sharedAt: number
  readonly holdsMs: number
}

export class ServiceProblems {
  private readonly seen = new Map<string, Seen>()
  private readonly unshared = new Set<string>()
  /** Services that had a problem at the last read of the table. */
  private known = new Set<string>()
  private unreportedRuns = 0
  private timer: NodeJS.Timeout | undefined
  private sharing: Promise<void> | undefined
  private sharedAt = Number.NEGATIVE_INFINITY
  private end: (() => Promise<void>) | undefined
  private readonly outage = new Outage(
    'the shared state of services is unavailable, so each process uses its own state',
  )

  constructor(private readonly everyMs = lookEveryMs) {}

  /** Runs `work`, during which this process neither reports nor resolves problems of services. */
  async unreported<Result>(work: () => Promise<Result>): Promise<Result> {
    this.unreportedRuns++
    try {
      return await work()
    } finally {
      this.unreportedRuns--
    }
  }

  /** `holdsMs`: milliseconds from the last report of the problem until the problem expires. */
  report(service: Service, problem: string, holdsMs = holdsForMs): void {
    if (this.unreportedRuns > 0) return
    const [name, now] = [nameOf(service), performance.now()]
    const found = this.seen.get(name)
    const before = found && now - found.at < found.holdsMs ? found : null
    const isNews = before?.problem !== problem || now - before.sharedAt >= renewEveryMs
    const sharedAt = isNews ? now : before.sharedAt
    this.seen.set(name, { problem, since: before?.since ?? now, at: now, sharedAt, holdsMs })
    if (isNews) this.shareSoon(name)
  }

  resolve(service: Service): void {
    if (this.unreportedRuns > 0) return
    const name = nameOf(service)
    const [wasSeen, wasKnown] = [this.seen.delete(name), this.known.delete(name)]
    if (wasSeen || wasKnown) this.shareSoon(name)
  }

  seenHere(service: Service): string {
    return this.seen.get(nameOf(service))?.problem ?? 'ok'
  }

  seenOf(account: string): string {
    const [, seen] = [...this.seen].find(([name]) => serviceOf(name).account === account) ?? []
    return seen?.problem ?? 'ok'
  }

  async all(): Promise<ServiceProblem[]> {
    await this.share()
    const rows = await db().$queryRaw<{ service: string; problem: string; since: Date }[]>`
      SELECT service, problem, since FROM service_problems WHERE expires_at > clock_timestamp() ORDER BY service`
    return rows.map(({ service, ...row }) => ({ service: serviceOf(service), ...row }))
  }

  /**
   * Polls the problems that other processes reported. If a request to one of these services succeeds in this process,
   * `resolve` removes the problem of the service for all processes.
   */
  start(): void {
    this.end ??= every(
      this.everyMs,
      () => this.look(),
      (error) => this.outage.begins(error),
      { atOnce: true },
    )
  }

  async stop(): Promise<void> {
    const { end } = this
    this.end = undefined
    await end?.()
    await this.share()
  }

  forget(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.seen.clear()
    this.unshared.clear()
    this.known.clear()
  }

  private async look(): Promise<void> {
    await this.share()
    // Only a write detects a read-only database, so the query also deletes expired rows. After a refused write, the connections are replaced.
    const rows = await db().$queryRaw<{ service: string }[]>`
      WITH over AS (DELETE FROM service_problems WHERE expires_at < clock_timestamp())
      SELECT service FROM service_problems`
    this.known = new Set(rows.map(({ service }) => service))
  }

  private shareSoon(name: string): void {
    this.unshared.add(name)
    const waitMs = Math.max(0, this.sharedAt + shareEveryMs - performance.now())
    this.timer ??= setTimeout(() => void this.share(), waitMs).unref()
  }

  /** Writes changes to the database. Never rejects: a failed write is repeated with the next change or poll. */
  private async share(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    await this.sharing
    if (this.unshared.size === 0) return
    this.sharedAt = performance.now()
    this.sharing = this.write([...this.unshared]).finally(() => {
      this.sharing = undefined
    })
    await this.sharing
  }

  private async write(names: readonly string[]): Promise<void> {
    this.unshared.clear()
    const now = performance.now()
    const rows = names.flatMap((service) => {
      const seen = this.seen.get(service)
      return seen ? [{ service, problem: seen.problem, age: now - seen.since, holds: seen.holdsMs }] : []
    })
    const over = names.filter((name) => !this.seen.has(name))
    try {
      if (rows.length > 0) await insert(rows)
      if (over.length > 0) await db().$executeRaw`DELETE FROM service_problems WHERE service = ANY(${over})`
      this.outage.ends()
    } catch (error) {
      for (const name of names) this.unshared.add(name)
      this.outage.begins(error)
    }
  }
}

/**
 * The fixed order prevents a deadlock between two processes. If both processes report a problem, the earlier start time
 * is kept.
 */
const insert = (rows: readonly { service: string; problem: string; age: number; holds: number }[]) =>
  db().$executeRaw`
    INSERT INTO service_problems (service, problem, since, expires_at)
    SELECT service, problem, clock_timestamp() - age * interval '1 millisecond',
      clock_timestamp() + holds * interval '1 millisecond'
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS seen (service text, problem text, age float8, holds float8)
    ORDER BY service
    ON CONFLICT (service) DO UPDATE SET problem = excluded.problem, expires_at = excluded.expires_at,
      since = CASE WHEN service_problems.expires_at > clock_timestamp()
        THEN least(service_problems.since, excluded.since) ELSE excluded.since END`

const nameOf = ({ kind, account, purpose }: Service): string =>
  [kind, account, purpose].filter((part) => part !== undefined).join(' ')

function serviceOf(name: string): Service {
  const [kind, account, ...rest] = name.split(' ') as [ServiceKind, string?, ...string[]]
  return { kind, ...(account !== undefined && { account }), ...(rest.length > 0 && { purpose: rest.join(' ') }) }
}

// The bundles of the server and of the pages share the problems through the global object.
const shared = globalThis as typeof globalThis & { billhookServiceProblems?: ServiceProblems }

export function serviceProblems(): ServiceProblems {
  shared.billhookServiceProblems ??= new ServiceProblems()
  return shared.billhookServiceProblems
}
