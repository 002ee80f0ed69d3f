/** The process is alive. It does not query the database. */
export const GET = (): Response => Response.json({ status: 'live' }, { headers: { 'Cache-Control': 'no-store' } })
