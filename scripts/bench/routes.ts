import type { Baseline } from './baseline.ts'
import type { Bench } from './context.ts'
import { compare, medianRound, type Round } from './figures.ts'
import type { Load } from './load.ts'
import { measurePairs, type PairSettings, type Target } from './pairs.ts'
import { program } from './program.ts'
import type { Report } from './report.ts'

export type Route = Pick<Load, 'status' | 'requests'>

export async function startBaseline({ installation, shop, connections, pool, keep }: Bench): Promise<Target> {
  const port = await keep(program<Baseline, number>('baseline.ts')).ask({ databaseUrl: installation.databaseUrl, pool })
  return {
    origin: `http://127.0.0.1:${port}`,
    connections,
    status: 200,
    requests: shop.customerIds.slice(0, 100).map((id) => ({ method: 'GET', path: `/${id}`, headers: {} })),
  }
}

export async function measureRoutes(
  bench: Bench,
  settings: PairSettings,
): Promise<Pick<Report, 'routes' | 'baseline'>> {
  const { installation, loader, connections, say } = bench
  const baseline = await startBaseline(bench)
  const service = { origin: installation.baseUrl, connections }
  const compared = []
  const baselines: Round[] = []
  await loader.ask({ ...baseline, seconds: settings.warmUpSeconds })
  for (const [name, route] of Object.entries(routesOf(bench))) {
    say(`Measuring ${name}`)
    const pairs = await measurePairs(loader, { ...service, ...route }, baseline, settings)
    compared.push({ name, ...compare(pairs) })
    baselines.push(...pairs.map((pair) => pair.baseline))
  }
  return { routes: compared, baseline: medianRound(baselines) }
}

export function routesOf({ api, shop }: Bench): Record<string, Route> {
  const get = (path: string) => api.request('GET', path)
  const newCustomer = { email: 'buyer-{n}@bench.example', name: 'Ada Lovelace' }
  return {
    'GET customer': { status: 200, requests: shop.customerIds.slice(0, 100).map((id) => get(`/v1/customers/${id}`)) },
    'list orders': { status: 200, requests: [get('/v1/orders')] },
    'POST customer, with an idempotency key': {
      status: 201,
      requests: [withKey(api.request('POST', '/v1/customers', newCustomer))],
    },
    'POST checkout': { status: 201, requests: [api.request('POST', '/v1/checkouts', shop.checkoutBody)] },
  }
}

const withKey = <Sent extends { headers: Record<string, string> }>(request: Sent): Sent => ({
  ...request,
  headers: { ...request.headers, 'Idempotency-Key': 'bench-{n}' },
})
