// @ts-check
// `npm run migrate` migrates the database and exits. Containers run it before the service.
import { loadDotenv } from './environment.mjs'
import { migrateService } from './migrate.mjs'
import { command, UserFacingError } from './user-facing-error.mjs'

command(async () => {
  loadDotenv()
  const databaseUrl = process.env.DATABASE_URL || process.env.DATABASE_DIRECT_URL
  if (!databaseUrl) throw new UserFacingError('DATABASE_URL must be set: it names the database to migrate.')
  await migrateService(databaseUrl)
  console.log('The database has all migrations.')
})
