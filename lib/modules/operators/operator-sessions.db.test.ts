import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { browser, cookiesOf, newOperator, password, refused, signedIn, signIn } from '../../testing/log-in.ts'
import { auditLog, verifyAudit } from '../audit/operations.ts'
import { hashedText } from '../audit/rules/entry.ts'
import { personOf, sessionsPage, signOut, submitEndSession, wayIn } from './manage-sessions.ts'
import { createOperator, removeOperator } from './operations.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

describe('removed operators', () => {
  test('removing an operator ends their sessions and prevents log-ins', async () => {
    const [{ email, cookies, operatorId }, other] = [await signedIn(), await signedIn()]
    const half = cookiesOf(await signIn(email))
    expect(await removeOperator(` ${email.toUpperCase()}`)).toEqual({
      operatorId,
      endedSessions: 2,
      withdrawnInvitations: 0,
    })
    expect([await personOf(cookies), (await wayIn(half)).to]).toEqual([null, '/admin/sign-in'])
    expect((await signIn(email)).redirectTo).toMatch(refused)
    expect(await personOf(other.cookies)).not.toBeNull()
    const [removed, ...before] = await auditLog(null, 10, operatorId)
    expect(removed).toMatchObject({ action: 'operator.remove', actor: { kind: 'cli' }, after: null })
    expect(before).toMatchObject([
      { action: 'operator.set_up_second_factor', actor: { kind: 'operator', id: operatorId } },
      { action: 'operator.create' },
    ])
    await expect(removeOperator(email)).rejects.toMatchObject({ on: { email: [expect.any(String)] } })
    expect((await createOperator({ email, password })).operatorId).not.toBe(operatorId)
  })

  test('the last staff member with a second factor can be removed', async () => {
    const { email } = await signedIn()
    const others = await db().operators.findMany({ where: { email: { not: email } } })
    for (const other of others) await removeOperator(other.email)
    expect((await removeOperator(email)).endedSessions).toBe(1)
    expect(await db().operators.count()).toBe(0)
  })
})

describe('sessions', () => {
  test('an operator can list and end only their own sessions', async () => {
    const [mine, other] = [await signedIn(), await signedIn()]
    const page = await sessionsPage(mine.cookies)
    expect(page?.sessions).toMatchObject([{ address: browser.address, browser: browser.name, isThis: true }])
    const [otherSession] = (await sessionsPage(other.cookies))?.sessions ?? []
    await submitEndSession(otherSession?.id ?? '', mine.cookies)
    expect(await personOf(other.cookies)).not.toBeNull()
    await submitEndSession(page?.sessions[0]?.id ?? '', mine.cookies)
    expect(await personOf(mine.cookies)).toBeNull()
    expect((await signOut(other.cookies)).cookie).toContain('Max-Age=0')
    expect(await personOf(other.cookies)).toBeNull()
  })

  test('the session cookie is SameSite=Strict', async () => {
    const { email } = await newOperator()
    expect((await signIn(email)).cookie).toMatch(/^__Host-\S+=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
  })
})

describe('audit log', () => {
  test('the database refuses changes of the audit log, and verifyAudit() detects manipulated entries', async () => {
    await signedIn()
    const { entries, last } = await verifyAudit()
    expect(entries).toBeGreaterThan(0)
    expect(last).toMatch(new RegExp(`^${entries}:[0-9a-f]{64}$`))
    await expect(db().$executeRaw`UPDATE audit_entries SET subject = 'x'`).rejects.toThrow('only appended to')
    await expect(db().$executeRaw`DELETE FROM audit_entries`).rejects.toThrow('only appended to')

    const number = BigInt(entries)
    const tampered = async (change: () => Promise<unknown>, undo: () => Promise<unknown>) => {
      await db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_are_final`
      await change()
      const { brokenAt } = await verifyAudit()
      await undo()
      await db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_are_final`
      return brokenAt
    }
    const [row] = await db().audit_entries.findMany({ where: { seq: number } })
    const to = (subject: string) =>
      db().$executeRaw`UPDATE audit_entries SET subject = ${subject} WHERE seq = ${number}`
    expect(
      await tampered(
        () => to('x'),
        () => to(row?.subject ?? ''),
      ),
    ).toBe(entries)
    const renumber = (from: bigint, to: bigint) =>
      db().$executeRaw`UPDATE audit_entries SET seq = ${to} WHERE seq = ${from}`
    expect(
      await tampered(
        () => renumber(number, number + 1n),
        () => renumber(number + 1n, number),
      ),
    ).toBe(entries)
    // Next, the test makes three changes that an attacker without the key could make. It changes an entry and its hash,
    // deletes the newest entry, and replaces an object with a list.
    const rehashed = async (subject: string) => {
      const [before] = await db().audit_entries.findMany({ where: { seq: number - 1n } })
      const [entry] = (await auditLog(number + 1n, 1)).filter(({ seq }) => seq === number)
      if (!entry) throw new Error('the entry is not there')
      const text = hashedText({ ...entry, subject }, before ? Buffer.from(before.hash).toString('hex') : '0'.repeat(64))
      const hash = createHash('sha256').update(text).digest()
      await db().$executeRaw`UPDATE audit_entries SET subject = ${subject}, hash = ${hash} WHERE seq = ${number}`
    }
    const restored = async () => {
      await db().audit_entries.deleteMany({ where: { seq: number } })
      if (row)
        await db().audit_entries.create({
          data: { ...row, before: row.before ?? undefined, after: row.after ?? undefined } as never,
        })
    }
    expect(await tampered(() => rehashed('x'), restored)).toBe(entries)
    expect(await tampered(() => db().audit_entries.deleteMany({ where: { seq: number } }), restored)).toBe(entries)
    const asList = () =>
      db()
        .$executeRaw`UPDATE audit_entries SET after = (SELECT jsonb_agg(jsonb_build_array(key, value) ORDER BY key) FROM jsonb_each(after)) WHERE seq = ${number}`
    expect(row?.after).toBeTruthy()
    expect(await tampered(asList, restored)).toBe(entries)
    const heads = await db().audit_heads.findMany()
    const withoutHead = await tampered(
      () => db().audit_heads.deleteMany(),
      () => db().audit_heads.createMany({ data: heads }),
    )
    expect(withoutHead).toBe(entries + 1)
    expect((await verifyAudit()).brokenAt).toBeNull()
  })

  test('the audit log contains no password, secret, code or cookie', async () => {
    const { secret, cookies, recoveryCodes } = await signedIn()
    const log = JSON.stringify(await auditLog(null, 1000), (_, value) =>
      typeof value === 'bigint' ? Number(value) : value,
    )
    for (const each of [password, secret, cookies?.split('=')[1] ?? 'none', ...recoveryCodes])
      expect(log).not.toContain(each)
  })
})
