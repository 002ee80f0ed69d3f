/** Reports that the process is alive, without a database query. */
export const GET = (): Response => Response.json({ status: 'live' }, { headers: { 'Cache-Control': 'no-store' } })
