import { log } from '@/lib/platform/log.ts'
import { metricsText } from '@/lib/server/metrics.ts'

/** The metrics contain no personal data and no ids, so this route needs no more protection than `/readyz`. */
export async function GET(): Promise<Response> {
  const headers = { 'Cache-Control': 'no-store' }
  try {
    const type = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }
    return new Response(await metricsText(), { headers: { ...headers, ...type } })
  } catch (error) {
    log.error({ error: String(error) }, 'the metrics could not be read')
    return new Response('The metrics of the processes could not be read.\n', { status: 503, headers })
  }
}
