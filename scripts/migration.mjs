// @ts-check
// Writes the changes of prisma/schema.prisma as a migration. Add checks, triggers, and partial indexes by hand.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbedded } from './embedded-postgres.mjs'
import { root } from './environment.mjs'
import { install, prisma } from './install.mjs'
import { command, UserFacingError } from './user-facing-error.mjs'

async function main() {
  const name = process.argv[2] ?? ''
  if (!/^[a-z][a-z0-9_]{2,60}$/.test(name))
    throw new UserFacingError(
      'Give the migration a name: npm run migration -- add_portal_sessions (a-z, 0-9 and _, 3 to 61 characters).',
    )
  await install()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-migration-'))
  // If root runs this script, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  const server = await startEmbedded({ directory: path.join(folder, 'postgres'), purpose: 'migration' })
  try {
    const from = ['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma', '--script']
    const script = await prisma(['migrate', 'diff', ...from], { DATABASE_URL: server.url })
    const statements = script.slice(Math.max(0, script.indexOf('-- ')))
    if (!/^(?:ALTER|CREATE|DROP)\b/m.test(statements)) {
      console.log('The schema matches the migrations. There is nothing to write.')
      return
    }
    const moment = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
    const file = path.join('prisma/migrations', `${moment}_${name}`, 'migration.sql')
    mkdirSync(path.join(root, path.dirname(file)))
    writeFileSync(path.join(root, file), statements)
    console.log(`${file} is written. Check that the migration drops no data.`)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

command(main)
