import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { configure } from '../../testing/configure.ts'
import { commandLine } from './command-line.ts'
import { auditEnd, auditLog, verifyAudit } from './operations.ts'
import { acceptUnreadable, writeAudit } from './write.ts'

/** The hash chain of the audit log before and after changes of SECRET_KEY. */

const [first, second, third] = ['first', 'second', 'third'].map(
  (name) => `the ${name} secret key of a test that is long enough`,
)
const keys = (current = '', ...previous: (string | undefined)[]) =>
  configure({ SECRET_KEY: current, SECRET_KEY_PREVIOUS: previous.length > 0 ? previous.join(',') : undefined })

let subjects = 0
const append = () =>
  db().$transaction((sql) =>
    writeAudit(sql, commandLine(), {
      action: 'key.create',
      subject: `subject_${++subjects}`,
      before: null,
      after: null,
    }),
  )
const newest = async () => (await auditLog(null, 1))[0]
const lastNumber = async () => Number((await newest())?.seq ?? 0n)

beforeEach(async () => {
  await db().$executeRaw`TRUNCATE audit_entries, audit_heads`
  subjects = 0
  keys(first)
  await append()
  await append()
})

describe('the audit log after a change of SECRET_KEY with the old key kept', () => {
  it('earlier audit entries can be verified after a key change, even before a new entry is written', async () => {
    const before = await verifyAudit()
    keys(second, first)
    expect(await verifyAudit()).toEqual(before)
    expect(await auditEnd()).toEqual({ last: before.last, isConfirmed: true })
  })

  it('audit entries written under three keys form one chain', async () => {
    keys(second, first)
    await append()
    keys(third, second, first)
    await append()
    expect(await verifyAudit()).toMatchObject({ entries: 4, brokenAt: null })
    expect((await auditEnd())?.isConfirmed).toBe(true)
  })

  it('verification finds a changed audit entry that was written under an old key', async () => {
    keys(second, first)
    await append()
    await db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_are_final`
    await db().$executeRaw`UPDATE audit_entries SET subject = 'somebody else' WHERE seq = 2`
    await db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_are_final`
    expect(await verifyAudit()).toMatchObject({ brokenAt: 2 })
  })

  it('verification finds that the newest audit entries were cut off', async () => {
    keys(second, first)
    await append()
    await db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_are_final`
    await db().$executeRaw`DELETE FROM audit_entries WHERE seq = 3`
    await db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_are_final`
    expect(await verifyAudit()).toMatchObject({ brokenAt: 3 })
    expect((await auditEnd())?.isConfirmed).toBe(false)
  })
})

describe('the audit log after a previous SECRET_KEY was removed', () => {
  it('verification stops at the first entry of a removed key, and succeeds again once the key is back', async () => {
    keys(second, first)
    await append()
    keys(second)
    expect(await verifyAudit()).toMatchObject({ brokenAt: 1 })
    expect((await auditEnd())?.isConfirmed).toBe(true)
    keys(second, first)
    expect(await verifyAudit()).toMatchObject({ entries: 3, brokenAt: null })
  })

  it('after an operator gives up a removed key, verification starts after its entries and finds later changes', async () => {
    keys(second)
    expect((await auditEnd())?.isConfirmed).toBe(false)
    await db().$transaction((sql) => acceptUnreadable(sql))
    await append()
    expect(await verifyAudit()).toMatchObject({ entries: 3, brokenAt: null })
    expect((await auditEnd())?.isConfirmed).toBe(true)
    await db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_are_final`
    await db().$executeRaw`UPDATE audit_entries SET subject = 'somebody else' WHERE seq = 3`
    await db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_are_final`
    expect(await verifyAudit()).toMatchObject({ brokenAt: 3 })
  })
})

it('an empty audit log has no end', async () => {
  await db().$executeRaw`TRUNCATE audit_entries, audit_heads`
  expect(await auditEnd()).toBeNull()
  expect(await lastNumber()).toBe(0)
})
