import { config } from '../config.ts'
import { foreignSettings, type Settings, sessionSettings, settingsStatement } from './session-settings.mjs'

/** The settings as startup options. Undefined behind a pooler, which accepts no options (see `storeSettings`). */
export const sessionOptions = (): string | undefined =>
  config().databaseDirectUrl === null
    ? Object.entries(sessionSettings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' ')
    : undefined

/** Thrown if the pooler's connections lack our settings. A starting process prints this error without a stack trace. */
export class ForeignSessions extends Error {
  override name = 'UserFacingError'

  constructor(names: readonly string[]) {
    super(
      `The pooler has connections without these settings: ${names.join(', ')}. RECONNECT the pooler, and use the same user for DATABASE_URL and DATABASE_DIRECT_URL (docs/guides/pgbouncer.md).`,
    )
  }
}

/**
 * Throws `ForeignSessions` if a connection that `query` uses lacks the settings that a migration stored
 * (`scripts/migrate.mjs`). Checks this only behind a pooler.
 */
export async function requireSettings(query: (text: string) => Promise<Settings[]>): Promise<void> {
  if (config().databaseDirectUrl === null) return
  const [found] = await query(settingsStatement)
  if (!found) throw new Error('the database returned no row')
  const missing = foreignSettings(found)
  if (missing.length > 0) throw new ForeignSessions(missing)
}
