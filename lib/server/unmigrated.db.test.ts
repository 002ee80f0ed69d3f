import { beforeEach, describe, expect, it } from 'vitest'
import { cli, isPrevented } from '../testing/command-line.ts'
import { anInstallation, type Installation, queried, transferFolder, workIn } from '../testing/installations.ts'
import { readiness } from './readiness.ts'

transferFolder()
let installation: Installation
beforeEach(async () => {
  installation = await anInstallation()
})

const emptied = () => queried(installation.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
const withoutTheLast = () =>
  queried(
    installation.url,
    `DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations);
    ALTER TABLE key_proofs RENAME TO later_key_proofs`,
  )

describe.each([
  ['no migration', emptied, /^The database lacks migrations, \d+ from \d+_\w+ on\. Run `npm run migrate`\.$/],
  [
    'all migrations but one',
    withoutTheLast,
    /^The database lacks migrations, 1 from \d+_\w+ on\. Run `npm run migrate`\.$/,
  ],
])('a database with %s is reported as unmigrated', (_, unmigrate, sentence) => {
  it('doctor reports missing migrations and marks the checks that depend on them as unknown', async () => {
    await unmigrate()
    await workIn(installation)
    const { status, stdout, stderr } = await cli('doctor --json')
    expect([status, stderr]).toEqual([1, ''])
    const checks: { check: string; state: string; message: string }[] = JSON.parse(stdout)
    const of = (check: string) => checks.find((each) => each.check === check)
    expect(of('database')).toMatchObject({ state: 'missing', message: expect.stringMatching(sentence) })
    for (const check of ['secretKey', 'payments', 'settlements', 'currencies', 'tasks', 'staff', 'invariants'])
      expect(of(check), check).toMatchObject({ state: 'look', message: expect.stringContaining('Unknown while') })
  })

  it('the command `merchant create` reports missing migrations in one sentence', async () => {
    await unmigrate()
    await workIn(installation)
    expect((await isPrevented('merchant create')).message).toBe(
      'The database lacks migrations of this version. Run `npm run migrate`.',
    )
  })

  it('/readyz reports missing migrations and is not ready', async () => {
    await unmigrate()
    await workIn(installation)
    expect(await readiness()).toMatchObject({
      ready: false,
      database: 'ok',
      migrations: expect.stringMatching(/^missing: /),
    })
  })
})
