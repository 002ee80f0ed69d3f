import { config } from '../../platform/config.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { type DayOfRates, readRates } from './read.ts'

export async function fetchRates(): Promise<DayOfRates> {
  const [newest] = await fetchFile(config().ecbRatesUrl, { timeoutMs: 10_000, mostBytes: 100_000 })
  return newest
}

export type Past = 'hist-90d' | 'hist'

export async function fetchPastRates(past: Past): Promise<readonly DayOfRates[]> {
  const daily = config().ecbRatesUrl
  const url = daily.replace(/-daily(?=\.xml$)/, `-${past}`)
  if (url === daily) throw new Error('past rates need an ECB_RATES_URL that ends in -daily.xml')
  return fetchFile(url, { timeoutMs: 60_000, mostBytes: 32_000_000 })
}

async function fetchFile(
  url: string,
  { timeoutMs, mostBytes }: { timeoutMs: number; mostBytes: number },
): Promise<[DayOfRates, ...DayOfRates[]]> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`the reference rates answer ${response.status}`)
  const [first, ...others] = readRates(await readText(response, mostBytes))
  if (!first) throw new Error('the file of reference rates has none')
  return [first, ...others]
}
