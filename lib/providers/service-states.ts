import { nameOf } from '../modules/provider-accounts/names.ts'
import { accountsOf } from '../modules/provider-accounts/store.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { type Service, type ServiceProblem, serviceProblems } from '../platform/outbound/service-problems.ts'
import { registry } from './registry.ts'

/** Only live mode uses `vies`, `hmrc`, and `rates`. */
export type ServiceName = 'payments' | 'inngest' | 'mail' | 'vies' | 'hmrc' | 'rates'

/** Each service in use, with its state as a text: `ok`, or the problem and its start. The text contains no id. */
export type ServiceStates = Readonly<Partial<Record<ServiceName, string>>>

/** A problem of a service. `account` is the id of a storefront's own account; null for accounts of the installation and other services. */
export interface ServiceTrouble {
  readonly problem: string
  readonly since: Date
  readonly account: string | null
}

export async function serviceStates(): Promise<ServiceStates> {
  const troubles = Object.entries(await serviceTroubles()) as [ServiceName, ServiceTrouble | null][]
  return Object.fromEntries(troubles.map(([name, trouble]) => [name, trouble ? textOf(name, trouble) : 'ok']))
}

function textOf(name: ServiceName, { problem, since, account }: ServiceTrouble): string {
  if (name === 'inngest') return `away for ${Math.round((Date.now() - since.getTime()) / 1000)} s: ${problem}`
  return `${problem} since ${since.toISOString()}${account === null ? '' : ' (account of a storefront)'}`
}

/**
 * The states while the database cannot be used. Always contains the services that live payments need (`payments`,
 * `vies`, `rates`), because only the database knows whether a storefront has its own account.
 */
export function unknownServiceStates(): ServiceStates {
  const { inngest, mail, hmrc } = config()
  const always = { payments: 'unknown', vies: 'unknown', rates: 'unknown' }
  return {
    ...always,
    ...(hmrc && { hmrc: 'unknown' }),
    ...(mail && { mail: 'unknown' }),
    ...(inngest && { inngest: 'unknown' }),
  }
}

/** Each service in use, with its problem, or null without a problem. */
export async function serviceTroubles(): Promise<Readonly<Partial<Record<ServiceName, ServiceTrouble | null>>>> {
  const { inngest, mail, hmrc } = config()
  const problems = await serviceProblems().all()
  const payments = await paymentsOf(problems)
  const of = (kind: ServiceName) => ({ [kind]: troubleOf(problems, (service) => service.kind === kind) })
  return {
    ...(payments !== undefined && { payments, ...of('vies'), ...(hmrc && of('hmrc')), ...of('rates') }),
    ...(mail && of('mail')),
    ...(inngest && of('inngest')),
  }
}

/**
 * Returns the first problem of a provider account. Returns null if no account has a problem, and undefined if no
 * account exists.
 */
async function paymentsOf(problems: readonly ServiceProblem[]): Promise<ServiceTrouble | null | undefined> {
  const ofAccount = (name: string, account: string | null) =>
    troubleOf(problems, (service) => service.account === name, account)
  const troubles = [
    ...registry.connected().map(({ name }) => ofAccount(name, null)),
    ...(await accountsOf(db())).map((account) => ofAccount(nameOf(account), account.id)),
  ]
  return troubles.find((trouble) => trouble !== null) ?? troubles[0]
}

function troubleOf(
  problems: readonly ServiceProblem[],
  isOf: (service: Service) => boolean,
  account: string | null = null,
): ServiceTrouble | null {
  const found = problems.find(({ service }) => isOf(service))
  return found ? { problem: found.problem, since: found.since, account } : null
}
