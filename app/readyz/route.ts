import { shared } from '@/lib/platform/shared.ts'
import { readiness } from '@/lib/server/readiness.ts'

/** All requests within a second share one result, so that frequent requests do not load the database. */
const newest = shared(1_000, readiness)

/**
 * A 503 response states the problem of the database or the missing migrations. The state `degraded`, such as late tasks
 * or violated invariants, has status 200, because it affects all processes alike, so removing one gains nothing.
 */
export async function GET(): Promise<Response> {
  const state = await newest()
  return Response.json(state, { status: state.ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } })
}
