import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { configure } from '../../testing/configure.ts'
import { commandLine } from './command-line.ts'
import { auditEnd, auditLog, verifyAudit } from './operations.ts'
import { acceptUnreadable, writeAudit } from './write.ts'

/** What becomes of the chain when SECRET_KEY is changed. */

const [first, second, third] = ['first', 'second', 'third'].map(
  (name) => `the ${name} secret key of a test that is long enough`,
)
const keys = (current = '', ...previous: (string | undefined)[]) =>
  configure({ SECRET_KEY: current, SECRET_KEY_PREVIOUS: previous.length > 0 ? previous.join(',') : undefined })

let subjects = 0
/** Appends an entry, as an operation does. */
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

describe('a secret key that is changed, and stays among the previous ones', () => {
  it('leaves every earlier entry checkable, even before a new entry is written', async () => {
    const before = await verifyAudit()
    keys(second, first)
    expect(await verifyAudit()).toEqual(before)
    expect(await auditEnd()).toEqual({ last: before.last, isConfirmed: true })
  })

  it('continues the chain: entries of three keys are one log', async () => {
    keys(second, first)
    await append()
    keys(third, second, first)
    await append()
    expect(await verifyAudit()).toMatchObject({ entries: 4, brokenAt: null })
    expect((await auditEnd())?.isConfirmed).toBe(true)
  })

  it('still finds what was changed in the part of the former key', async () => {
    keys(second, first)
    await append()
    await db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_are_final`
    await db().$executeRaw`UPDATE audit_entries SET subject = 'somebody else' WHERE seq = 2`
    await db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_are_final`
    expect(await verifyAudit()).toMatchObject({ brokenAt: 2 })
  })

  it('still finds that the newest entries were cut off', async () => {
    keys(second, first)
    await append()
    await db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_are_final`
    await db().$executeRaw`DELETE FROM audit_entries WHERE seq = 3`
    await db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_are_final`
    expect(await verifyAudit()).toMatchObject({ brokenAt: 3 })
    expect((await auditEnd())?.isConfirmed).toBe(false)
  })
})

describe('a former secret key that is removed from the previous ones', () => {
  it('makes its entries unreadable: the check stops at the first, and a copy of the key repairs that', async () => {
    keys(second, first)
    await append()
    keys(second)
    expect(await verifyAudit()).toMatchObject({ brokenAt: 1 })
    // The end was written with the current key.
    expect((await auditEnd())?.isConfirmed).toBe(true)
    keys(second, first)
    expect(await verifyAudit()).toMatchObject({ entries: 3, brokenAt: null })
  })

  it('is given up by the operator: the check begins after its entries, and finds what is changed from then on', async () => {
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

it('has no end before the first entry', async () => {
  await db().$executeRaw`TRUNCATE audit_entries, audit_heads`
  expect(await auditEnd()).toBeNull()
  expect(await lastNumber()).toBe(0)
})
