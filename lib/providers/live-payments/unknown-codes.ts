import { log } from '../../platform/log.ts'

const mostKnown = 200
const reported = new Set<string>()

export function reportUnknownCode(provider: string, code: string): void {
  const place = `${provider} ${code}`
  if (reported.has(place)) return
  reported.add(place)
  for (const oldest of reported) {
    if (reported.size <= mostKnown) break
    reported.delete(oldest)
  }
  log.error({ provider, code: code.slice(0, 100) }, 'a payment failed with a code that the adapter does not know')
}

export const forgetUnknownCodes = (): void => reported.clear()
