import { nameOf } from '../modules/provider-accounts/names.ts'
import { accountsOf } from '../modules/provider-accounts/store.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { type Service, type ServiceProblem, serviceProblems } from '../platform/outbound/service-problems.ts'
import { registry } from './registry.ts'

/** Only live mode uses `vies`, `hmrc`, and `rates`. */
export type ServiceName = 'payments' | 'inngest' | 'mail' | 'vies' | 'hmrc' | 'rates'

export type ServiceStates = Readonly<Partial<Record<ServiceName, string>>>

export async function serviceStates(): Promise<ServiceStates> {
  const { inngest, mail, hmrc } = config()
  const problems = await serviceProblems().all()
  const payments = await paymentsOf(problems)
  const of = (kind: Service['kind']) => ({ [kind]: stateOf(problems, (service) => service.kind === kind) })
  return {
    ...(payments !== null && { payments, ...of('vies'), ...(hmrc && of('hmrc')), ...of('rates') }),
    ...(mail && of('mail')),
    ...(inngest && { inngest: taskServerOf(problems) }),
  }
}

async function paymentsOf(problems: readonly ServiceProblem[]): Promise<string | null> {
  const ofAccount = (account: string) => stateOf(problems, (service) => service.account === account)
  const own = (await accountsOf(db())).map((account) => ({ id: account.id, state: ofAccount(nameOf(account)) }))
  const states = [
    ...registry.connected().map(({ name }) => ofAccount(name)),
    ...own.map(({ id, state }) => (state === 'ok' ? state : `${state} (${id})`)),
  ]
  return states.find((state) => state !== 'ok') ?? states[0] ?? null
}

function taskServerOf(problems: readonly ServiceProblem[]): string {
  const found = problems.find(({ service }) => service.kind === 'inngest')
  return found ? `away for ${Math.round((Date.now() - found.since.getTime()) / 1000)} s: ${found.problem}` : 'ok'
}

function stateOf(problems: readonly ServiceProblem[], isOf: (service: Service) => boolean): string {
  const found = problems.find(({ service }) => isOf(service))
  return found ? `${found.problem} since ${found.since.toISOString()}` : 'ok'
}
