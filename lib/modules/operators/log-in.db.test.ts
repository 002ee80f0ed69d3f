import { createHash, scryptSync } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { auditLog, verifyAudit } from '../audit/operations.ts'
import { hashedText } from '../audit/rules/entry.ts'
import {
  personOf,
  secondFactorPage,
  sessionsPage,
  signOut,
  submitEndSession,
  submitSecondFactor,
  submitSignIn,
  typedAtSignIn,
  wayIn,
} from './hosted.ts'
import { createOperator, removeOperator, resetSecondFactor } from './operations.ts'
import { confirmsCode } from './step-up.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const password = 'correct horse battery'
const browser = { address: '203.0.113.9', name: 'Test browser' }
let made = 0

async function anOperator(): Promise<{ email: string; operatorId: string }> {
  const email = `ops${++made}@example.com`
  return { email, ...(await createOperator({ email, password })) }
}

const refused = /^\/admin\/sign-in\?refused&form=\w+$/
const cookiesOf = ({ cookie }: { cookie?: string }) => cookie?.split(';')[0] ?? null
const signIn = (email: string, given = password) =>
  submitSignIn(new URLSearchParams({ email, password: given }), browser)
const enter = (cookies: string | null, code: string) => submitSecondFactor(new URLSearchParams({ code }), cookies)

/** The code of an authenticator app, some steps of 30 seconds from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** An operator who has logged in for the first time. */
async function signedIn() {
  const operator = await anOperator()
  const half = cookiesOf(await signIn(operator.email))
  const page = await secondFactorPage(half)
  if (page?.kind !== 'set_up') throw new Error('the first log-in sets the second factor up')
  const next = await enter(half, codeOf(page.secret))
  return { ...operator, ...page, half, cookies: cookiesOf(next) }
}

describe('an operator', () => {
  test('has an address of their own, and a password that is stored as an argon2id hash', async () => {
    const operator = { email: ' Ops@Bücher.example', password }
    expect(await createOperator(operator)).toEqual({ operatorId: expect.stringMatching(/^operator_/) })
    const row = await db().operators.findUniqueOrThrow({ where: { email: 'ops@xn--bcher-kva.example' } })
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    for (const [wrong, field] of [
      [{ ...operator, email: 'ops@BÜCHER.example' }, 'email'],
      [{ ...operator, email: 'ops' }, 'email'],
      [{ email: 'b@a.example', password: 'too short' }, 'password'],
    ] as const)
      await expect(createOperator(wrong)).rejects.toMatchObject({ on: { [field]: [expect.any(String)] } })
  })

  test('sees nothing before both factors are given, and then in a session with another secret', async () => {
    const { cookies, half, email, operatorId } = await signedIn()
    expect(await personOf(cookies)).toEqual({
      actor: { kind: 'operator', id: operatorId, address: browser.address },
      email,
      membership: null,
    })
    expect([await personOf(half), await wayIn(half)]).toEqual([null, '/admin/sign-in'])
    const again = cookiesOf(await signIn(email))
    expect([await personOf(again), await wayIn(again), await sessionsPage(again)]).toEqual([
      null,
      '/admin/second-factor',
      null,
    ])
    expect(await secondFactorPage(again)).toEqual({ kind: 'code', isReadable: true })
    expect([await wayIn(cookies), await wayIn(null)]).toEqual([null, '/admin/sign-in'])
  })

  test('is shown the same key until the second factor is confirmed, and it is stored sealed', async () => {
    const { email, operatorId } = await anOperator()
    const half = cookiesOf(await signIn(email))
    const [first, second] = [await secondFactorPage(half), await secondFactorPage(half)]
    expect(first).toEqual(second)
    if (first?.kind !== 'set_up') throw new Error('no set-up')
    expect(first.picture).toMatch(/^<svg /)
    expect(new Set(first.recoveryCodes).size).toBe(8)
    for (const code of first.recoveryCodes) expect(code).toMatch(/^(?:[0-9A-Za-z]{4}-){3}[0-9A-Za-z]{4}$/)
    const row = await db().operators.findUniqueOrThrow({ where: { id: operatorId } })
    expect(Buffer.from(row.totp_secret ?? '').includes(first.secret)).toBe(false)
    expect((await enter(half, first.recoveryCodes[0] ?? '')).redirectTo).toBe('/admin/second-factor?refused')
  })
})

describe('a log-in', () => {
  test('that fails says the same for a wrong password, an unknown address and no address', async () => {
    const { email } = await anOperator()
    const answers = [await signIn(email, 'wrong'), await signIn('nobody@example.com'), await signIn('', '')]
    for (const answer of answers)
      expect(answer).toEqual({ redirectTo: expect.stringMatching(refused), cookie: expect.any(String) })
  })

  test('that fails keeps the address that was typed, in the browser alone and for its page alone', async () => {
    const answer = await signIn('ada@example', 'wrong')
    const form = new URL(answer.redirectTo, 'http://localhost').searchParams.get('form')
    expect(typedAtSignIn(form, cookiesOf(answer))).toBe('ada@example')
    expect([typedAtSignIn('other', cookiesOf(answer)), typedAtSignIn(form, null)]).toEqual(['', ''])
    expect(JSON.stringify(answer)).not.toMatch(/ada|wrong/)
  })

  test('is not possible for a while after five failures, with the right password neither', async () => {
    const { email, operatorId } = await anOperator()
    for (let failures = 0; failures < 5; failures++) await signIn(email, 'wrong')
    expect((await signIn(email)).redirectTo).toMatch(refused)
    const [entry] = await auditLog(null, 1)
    expect(entry).toMatchObject({ action: 'operator.locked', subject: operatorId })
    await db().$executeRaw`UPDATE operators SET locked_until = clock_timestamp() WHERE id = ${operatorId}`
    expect((await signIn(email)).redirectTo).toBe('/admin/second-factor')
  })

  test('that is right after four failures leaves no lock in the audit log, and one that locks leaves one', async () => {
    const { email, secret, cookies, operatorId } = await signedIn()
    const locks = async () =>
      (await auditLog(null, 50, operatorId)).filter(({ action }) => action === 'operator.locked')
    const wrong = async (times: number) => {
      for (let failures = 0; failures < times; failures++) await signIn(email, 'wrong')
    }
    await wrong(4)
    const half = cookiesOf(await signIn(email))
    expect((await enter(half, codeOf(secret, 1))).redirectTo).toBe('/admin')
    expect(await locks()).toEqual([])
    // A code that is wrong after a password that is right, and one that is asked for again before money leaves.
    await wrong(4)
    await enter(cookiesOf(await signIn(email)), 'wrong')
    expect(await locks()).toMatchObject([{ actor: { id: operatorId, address: browser.address } }])
    await db().$executeRaw`UPDATE operators SET failed_logins = 4, locked_until = NULL WHERE id = ${operatorId}`
    expect(await confirmsCode('wrong', cookies)).toBe(false)
    expect(await confirmsCode('wrong', cookies)).toBe(false)
    expect(await locks()).toHaveLength(2)
  })

  test('is tried no oftener by many at once than one after the other', async () => {
    const { email, operatorId } = await anOperator()
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        submitSignIn(new URLSearchParams({ email, password: 'wrong' }), { ...browser, address: `192.0.2.${n}` }),
      ),
    )
    const row = await db().operators.findUniqueOrThrow({ where: { id: operatorId } })
    expect(row.failed_logins).toBe(5)
  })

  test('replaces an older hash of the password', async () => {
    const { email, operatorId } = await anOperator()
    const salt = Buffer.from('0123456789abcdef')
    const hash = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 }).toString('base64url')
    const old = ['scrypt', 2 ** 14, 8, 1, salt.toString('base64url'), hash].join('$')
    await db().operators.update({ where: { id: operatorId }, data: { password_hash: old } })
    expect((await signIn(email, 'wrong')).redirectTo).toMatch(refused)
    expect((await signIn(email)).redirectTo).toBe('/admin/second-factor')
    const row = await db().operators.findUniqueOrThrow({ where: { id: operatorId } })
    expect(row.password_hash).toMatch(/^\$argon2id/)
    expect((await signIn(email)).redirectTo).toBe('/admin/second-factor')
  })
})

describe('a code', () => {
  test('is good for once, and an earlier one is not good after it', async () => {
    const { email, secret } = await signedIn()
    const half = cookiesOf(await signIn(email))
    expect((await enter(half, codeOf(secret, -1))).redirectTo).toBe('/admin/second-factor?refused')
    // Codes are made before they are needed: half a minute may end at any line.
    const [earlier, next] = [codeOf(secret), codeOf(secret, 1)]
    expect((await enter(half, next)).redirectTo).toBe('/admin')
    const other = cookiesOf(await signIn(email))
    expect((await enter(other, next)).redirectTo).toBe('/admin/second-factor?refused')
    expect((await enter(other, earlier)).redirectTo).toBe('/admin/second-factor?refused')
  })

  test('that is wrong counts like a wrong password', async () => {
    const { email, operatorId } = await signedIn()
    const half = cookiesOf(await signIn(email))
    for (const code of ['', '000000x', 'abc', '12345', '1234567']) await enter(half, code)
    const row = await db().operators.findUniqueOrThrow({ where: { id: operatorId } })
    expect([row.failed_logins, row.locked_until !== null]).toEqual([5, true])
    expect((await signIn(email)).redirectTo).toMatch(refused)
  })

  test('may be a recovery code, which is good for once', async () => {
    const { email, recoveryCodes } = await signedIn()
    const code = recoveryCodes[3] ?? ''
    const first = cookiesOf(await signIn(email))
    expect((await enter(first, code.replaceAll('-', ' '))).redirectTo).toBe('/admin')
    const second = cookiesOf(await signIn(email))
    expect((await enter(second, code)).redirectTo).toBe('/admin/second-factor?refused')
    const dump = await db().$queryRaw<{ row: string }[]>`SELECT to_jsonb(c)::text AS row FROM operator_recovery_codes c`
    expect(JSON.stringify(dump)).not.toContain(code.replaceAll('-', ''))
  })

  test('of a second factor that is lost is not needed after an operator took it away, and all sessions end', async () => {
    const { email, cookies, operatorId } = await signedIn()
    expect(await resetSecondFactor(email)).toEqual({ operatorId, endedSessions: 1 })
    expect(await personOf(cookies)).toBeNull()
    const half = cookiesOf(await signIn(email))
    expect((await secondFactorPage(half))?.kind).toBe('set_up')
    await expect(resetSecondFactor('nobody@example.com')).rejects.toMatchObject({ on: { email: [expect.any(String)] } })
  })
})

describe('an operator who is removed', () => {
  test('has no session and no log-in, and what they did stays in the audit log', async () => {
    const [{ email, cookies, operatorId }, other] = [await signedIn(), await signedIn()]
    const half = cookiesOf(await signIn(email))
    expect(await removeOperator(` ${email.toUpperCase()}`)).toEqual({
      operatorId,
      endedSessions: 2,
      withdrawnInvitations: 0,
    })
    expect([await personOf(cookies), await wayIn(half)]).toEqual([null, '/admin/sign-in'])
    expect((await signIn(email)).redirectTo).toMatch(refused)
    expect(await personOf(other.cookies)).not.toBeNull()
    const [removed, ...before] = await auditLog(null, 10, operatorId)
    expect(removed).toMatchObject({ action: 'operator.remove', actor: { kind: 'cli' }, after: null })
    expect(before).toMatchObject([
      { action: 'operator.set_up_second_factor', actor: { kind: 'operator', id: operatorId } },
      { action: 'operator.create' },
    ])
    await expect(removeOperator(email)).rejects.toMatchObject({ on: { email: [expect.any(String)] } })
    // The address is free.
    expect((await createOperator({ email, password })).operatorId).not.toBe(operatorId)
  })

  test('may be the last one with a second factor', async () => {
    const { email } = await signedIn()
    const others = await db().operators.findMany({ where: { email: { not: email } } })
    for (const other of others) await removeOperator(other.email)
    expect((await removeOperator(email)).endedSessions).toBe(1)
    expect(await db().operators.count()).toBe(0)
  })
})

describe('the sessions of an operator', () => {
  test('are listed and ended, one’s own only', async () => {
    const [mine, other] = [await signedIn(), await signedIn()]
    const page = await sessionsPage(mine.cookies)
    expect(page?.sessions).toMatchObject([{ address: browser.address, browser: browser.name, isThis: true }])
    const [theirs] = (await sessionsPage(other.cookies))?.sessions ?? []
    await submitEndSession(theirs?.id ?? '', mine.cookies)
    expect(await personOf(other.cookies)).not.toBeNull()
    await submitEndSession(page?.sessions[0]?.id ?? '', mine.cookies)
    expect(await personOf(mine.cookies)).toBeNull()
    expect((await signOut(other.cookies)).cookie).toContain('Max-Age=0')
    expect(await personOf(other.cookies)).toBeNull()
  })

  test('have a cookie that comes with no request of another site', async () => {
    const { email } = await anOperator()
    expect((await signIn(email)).cookie).toMatch(/^__Host-\S+=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
  })
})

describe('the audit log', () => {
  test('cannot be changed, and shows it if somebody did', async () => {
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
    // Who can write to the database, and has no key: a hash without a key, the end cut off, a list in place of an object.
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

  test('has no password, secret, code or cookie', async () => {
    const { secret, cookies, recoveryCodes } = await signedIn()
    const log = JSON.stringify(await auditLog(null, 1000), (_, value) =>
      typeof value === 'bigint' ? Number(value) : value,
    )
    for (const each of [password, secret, cookies?.split('=')[1] ?? 'none', ...recoveryCodes])
      expect(log).not.toContain(each)
  })
})
