import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { configure } from '../../testing/configure.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { commandLine } from './command-line.ts'
import { auditEnd, auditLog, verifyAudit } from './operations.ts'
import { olderEntries, renewAudit } from './renew.ts'
import { acceptUnreadable, writeAudit } from './write.ts'

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

describe('with a previous SECRET_KEY', () => {
  it('audit entries can be verified after a change of SECRET_KEY', async () => {
    const before = await verifyAudit()
    keys(second, first)
    expect(await verifyAudit()).toEqual(before)
    expect(await auditEnd()).toEqual({ last: before.last, isConfirmed: true })
  })

  it('audit entries written with three different keys are verified as one chain', async () => {
    keys(second, first)
    await append()
    keys(third, second, first)
    await append()
    expect(await verifyAudit()).toMatchObject({ entries: 4, brokenAt: null })
    expect((await auditEnd())?.isConfirmed).toBe(true)
  })

  it('verification reports a changed audit entry that was written with a previous key', async () => {
    keys(second, first)
    await append()
    await db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_are_final`
    await db().$executeRaw`UPDATE audit_entries SET subject = 'somebody else' WHERE seq = 2`
    await db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_are_final`
    expect(await verifyAudit()).toMatchObject({ brokenAt: 2 })
  })

  it('verification reports that the newest audit entries were deleted', async () => {
    keys(second, first)
    await append()
    await db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_are_final`
    await db().$executeRaw`DELETE FROM audit_entries WHERE seq = 3`
    await db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_are_final`
    expect(await verifyAudit()).toMatchObject({ brokenAt: 3 })
    expect((await auditEnd())?.isConfirmed).toBe(false)
  })
})

describe('after the removal of a previous SECRET_KEY', () => {
  it('verification fails at the first audit entry written with a removed key', async () => {
    keys(second, first)
    await append()
    keys(second)
    expect(await verifyAudit()).toMatchObject({ brokenAt: 1 })
    expect((await auditEnd())?.isConfirmed).toBe(true)
    keys(second, first)
    expect(await verifyAudit()).toMatchObject({ entries: 3, brokenAt: null })
  })

  it('audit verification starts after the last entry written with a removed key if the key is declared lost', async () => {
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

describe('the renewal of the audit log', () => {
  const change = async (statement: string) => {
    await db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_are_final`
    await db().$executeRawUnsafe(statement)
    await db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_are_final`
  }

  it('after a renewal of the audit log, the log is verified without the previous key', async () => {
    keys(second, first)
    await append()
    expect(await olderEntries()).toEqual({ older: 2, brokenAt: null })
    expect(await renewAudit()).toBe(2)
    expect(await olderEntries()).toEqual({ older: 0, brokenAt: null })
    keys(second)
    await append()
    expect(await verifyAudit()).toMatchObject({ entries: 5, brokenAt: null })
    expect((await auditEnd())?.isConfirmed).toBe(true)
    expect((await auditLog(null, 2))[1]).toMatchObject({ action: 'secret_key.renew', after: { entries: 3 } })
  })

  it('a repeated or concurrent renewal of the audit log appends no second entry', async () => {
    keys(second, first)
    const renewed = await Promise.all([renewAudit(), renewAudit(), renewAudit()])
    expect(renewed.sort()).toEqual([0, 0, 2])
    expect(await renewAudit()).toBe(0)
    expect(await lastNumber()).toBe(3)
  })

  it('a renewal of the audit log appends nothing if no audit entry needs a previous key', async () => {
    expect(await renewAudit()).toBe(0)
    await db().$executeRaw`TRUNCATE audit_entries, audit_heads`
    expect([await renewAudit(), await olderEntries()]).toEqual([0, { older: 0, brokenAt: null }])
  })

  it('after a renewal of the audit log, a change of an earlier audit entry is reported at the entry of the renewal', async () => {
    keys(second, first)
    await renewAudit()
    keys(second)
    await append()
    await change("UPDATE audit_entries SET subject = 'somebody else' WHERE seq = 1")
    expect(await verifyAudit()).toMatchObject({ brokenAt: 3 })
  })

  it('after a renewal of the audit log, the removed key cannot sign a changed audit log', async () => {
    keys(second, first)
    await renewAudit()
    keys(first)
    await db().$executeRaw`TRUNCATE audit_entries, audit_heads`
    await append()
    await append()
    await append()
    keys(second)
    expect((await verifyAudit()).brokenAt).not.toBeNull()
  })

  it('a broken audit log is not renewed', async () => {
    keys(second, first)
    await append()
    await change("UPDATE audit_entries SET subject = 'somebody else' WHERE seq = 2")
    expect(await renewAudit()).toBe('broken')
    expect(await olderEntries()).toEqual({ older: 1, brokenAt: 2 })
    expect(await lastNumber()).toBe(3)
  })

  const untilEnd = { sql: "SELECT pg_advisory_xact_lock(hashtextextended('audit_entries', 0))" }
  const deleteNewest = () => change('DELETE FROM audit_entries WHERE seq > 4')

  it.each([
    ['entries are deleted', deleteNewest],
    [
      'entries are deleted and the head names an earlier entry',
      async () => {
        await deleteNewest()
        await db().$executeRaw`UPDATE audit_heads SET seq = 4`
      },
    ],
    ['the keyed hash of the head is changed', () => db().$executeRaw`UPDATE audit_heads SET mac = set_byte(mac, 0, 1)`],
  ])('the audit log is not renewed if %s after the renewal has read the log', async (_, tamper) => {
    for (let added = 0; added < 4; added++) await append()
    keys(second, first)
    expect(await raceBehind(untilEnd, [renewAudit], 1, tamper)).toEqual([{ status: 'fulfilled', value: 'broken' }])
    expect((await newest())?.action).toBe('key.create')
    expect((await verifyAudit()).brokenAt).not.toBeNull()
  })

  it('the audit log is not renewed if the newest entries are deleted and the head is reset to an earlier state during the renewal', async () => {
    keys(second, first)
    await append()
    await append()
    const head = await db().audit_heads.findFirstOrThrow()
    await append()
    const [renewed] = await raceBehind(untilEnd, [renewAudit], 1, async () => {
      await deleteNewest()
      await db().audit_heads.updateMany({ data: { seq: head.seq, mac: head.mac } })
    })
    expect(renewed).toEqual({ status: 'fulfilled', value: 'broken' })
    expect(await lastNumber()).toBe(4)
  })

  it('a renewal of the audit log covers an entry that is appended while the renewal waits for the lock', async () => {
    keys(second, first)
    const [, renewed] = await raceBehind<unknown>(untilEnd, [append, renewAudit], 2, undefined, { inTurn: true })
    expect(renewed).toEqual({ status: 'fulfilled', value: 2 })
    expect((await newest())?.after).toMatchObject({ entries: 3 })
    keys(second)
    expect(await verifyAudit()).toMatchObject({ entries: 4, brokenAt: null })
  })

  it('a second renewal of the audit log covers the entry of the first renewal', async () => {
    keys(second, first)
    await renewAudit()
    keys(third, second)
    expect(await renewAudit()).toBe(1)
    keys(third)
    expect(await verifyAudit()).toMatchObject({ entries: 4, brokenAt: null })
    await change("UPDATE audit_entries SET subject = 'somebody else' WHERE seq = 1")
    expect(await verifyAudit()).toMatchObject({ brokenAt: 4 })
  })

  it('the audit log is renewed even if a lost key was accepted and no later entry exists', async () => {
    keys(second)
    await db().$transaction((sql) => acceptUnreadable(sql))
    keys(third, second)
    expect(await renewAudit()).toBe(1)
    keys(third)
    expect(await verifyAudit()).toMatchObject({ entries: 3, brokenAt: null })
    expect(await olderEntries()).toEqual({ older: 0, brokenAt: null })
  })
})

it('auditEnd() returns null for an empty audit log', async () => {
  await db().$executeRaw`TRUNCATE audit_entries, audit_heads`
  expect(await auditEnd()).toBeNull()
  expect(await lastNumber()).toBe(0)
})
