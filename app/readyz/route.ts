import { shared } from '@/lib/platform/shared.ts'
import { readiness } from '@/lib/server/readiness.ts'

/** Whoever asks more often hears the same again: asking costs the database nothing more. */
const newest = shared(1_000, readiness)

/**
 * The process can do its work: database, migrations, tasks. 503 says what is missing. `degraded` is still 200: what a check of
 * the invariants found is the same in every process, and taking all of them out of service would not mend it.
 */
export async function GET(): Promise<Response> {
  const state = await newest()
  return Response.json(state, { status: state.ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } })
}
