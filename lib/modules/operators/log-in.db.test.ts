import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { allRows } from '../../testing/all-rows.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import {
  browser,
  codeOf,
  cookiesOf,
  enter,
  newOperator,
  password,
  refused,
  signedIn,
  signIn,
} from '../../testing/log-in.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { runDueTasks } from '../../testing/shop.ts'
import { auditLog, verifyAudit } from '../audit/operations.ts'
import { passwordOf } from './attempts.ts'
import { knownDevice } from './devices.ts'
import { personOf, secondFactorPage, sessionsPage, submitSignIn, typedAtSignIn, wayIn } from './manage-sessions.ts'
import { createOperator, resetSecondFactor } from './operations.ts'
import { confirmsCode } from './step-up.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('operators', () => {
  test('an operator has a unique email address and a password stored as an argon2id hash', async () => {
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

  test('a session gives access and gets a new secret only after both factors are entered', async () => {
    const { cookies, half, email, operatorId } = await signedIn()
    expect(await personOf(cookies)).toEqual({
      actor: { kind: 'operator', id: operatorId, address: browser.address },
      email,
      language: 'en',
      membership: null,
    })
    expect([await personOf(half), (await wayIn(half)).to]).toEqual([null, '/admin/sign-in'])
    const again = cookiesOf(await signIn(email))
    expect([await personOf(again), (await wayIn(again)).to, await sessionsPage(again)]).toEqual([
      null,
      '/admin/second-factor',
      null,
    ])
    expect(await secondFactorPage(again)).toEqual({ kind: 'code', isReadable: true })
    expect([(await wayIn(cookies)).to, (await wayIn(null)).to]).toEqual([null, '/admin/sign-in'])
  })

  test('the set-up page of the second factor shows the same secret until the secret is confirmed', async () => {
    const { email, operatorId } = await newOperator()
    const half = cookiesOf(await signIn(email))
    const [first, second] = [await secondFactorPage(half), await secondFactorPage(half)]
    expect(first).toEqual(second)
    if (first?.kind !== 'set_up') throw new Error('no set-up')
    expect(first.picture).toMatch(/^<svg /)
    expect(first.recoveryCodes).toHaveLength(8)
    expect(new Set(first.recoveryCodes).size).toBe(first.recoveryCodes.length)
    for (const code of first.recoveryCodes) expect(code).toMatch(/^(?:[0-9A-Za-z]{4}-){3}[0-9A-Za-z]{4}$/)
    const row = await db().operator_sessions.findFirstOrThrow({ where: { operator_id: operatorId } })
    expect(Buffer.from(row.totp_secret ?? '').includes(first.secret)).toBe(false)
    expect((await db().operators.findUniqueOrThrow({ where: { id: operatorId } })).totp_secret).toBeNull()
    expect((await enter(half, first.recoveryCodes[0] ?? '')).redirectTo).toBe('/admin/second-factor?refused')
  })
})

describe('log-ins', () => {
  test('a failed log-in has the same response for a wrong password and an unknown email address', async () => {
    const { email } = await newOperator()
    const answers = [await signIn(email, 'wrong'), await signIn('nobody@example.com'), await signIn('', '')]
    for (const answer of answers)
      expect(answer).toEqual({ redirectTo: expect.stringMatching(refused), cookie: expect.any(String) })
  })

  test('after a failed log-in, only the log-in page can read the entered email address', async () => {
    const answer = await signIn('ada@example', 'wrong')
    const form = new URL(answer.redirectTo, 'http://localhost').searchParams.get('form')
    expect(typedAtSignIn(form, cookiesOf(answer))).toBe('ada@example')
    expect([typedAtSignIn('other', cookiesOf(answer)), typedAtSignIn(form, null)]).toEqual(['', ''])
    expect(JSON.stringify(answer)).not.toMatch(/ada|wrong/)
  })

  test('after five failed log-ins from an IP address, even the right password is refused for a minute', async () => {
    const { email, operatorId } = await newOperator()
    vi.useFakeTimers({ toFake: ['Date'] })
    for (let failures = 0; failures < 5; failures++) await signIn(email, 'wrong')
    const locked = Date.now()
    const signInAfter = async (ms: number) => {
      vi.setSystemTime(locked + ms)
      return (await signIn(email)).redirectTo
    }
    for (const ms of [0, 59_999]) expect(await signInAfter(ms)).toMatch(refused)
    expect(await signInAfter(60_000)).toBe('/admin/second-factor')
    vi.useRealTimers()
    await runDueTasks()
    const [entry] = await auditLog(null, 1)
    expect(entry).toMatchObject({ action: 'operator.locked', subject: operatorId, after: { failedLogins: 5 } })
  })

  test('a lock of an IP address does not affect other IP addresses or known browsers', async () => {
    const { email, secret, device } = await signedIn()
    for (let failures = 0; failures < 31; failures++) await signIn(email, 'wrong')
    const elsewhere = { ...browser, address: '198.51.100.7' }
    const from = (other: typeof browser & { cookies?: string }) =>
      submitSignIn(new URLSearchParams({ email, password }), other)
    expect((await from(elsewhere)).redirectTo).toBe('/admin/second-factor')
    expect((await from(browser)).redirectTo).toMatch(refused)
    // The attacker uses the IP address of the known browser.
    const half = cookiesOf(await from({ ...browser, cookies: device }))
    expect((await enter(`${half}; ${device}`, codeOf(secret, 1))).redirectTo).toBe('/admin')
  })

  test('failed log-ins to one account from many IP addresses lock unknown browsers but not known browsers', async () => {
    const { email, device } = await signedIn()
    const tryFrom = (n: number, given: string, cookies: string | null = null) =>
      submitSignIn(new URLSearchParams({ email, password: given }), { ...browser, address: `203.0.113.${n}`, cookies })
    for (let n = 0; n < 30; n++) await tryFrom(n, 'wrong')
    expect((await tryFrom(99, password)).redirectTo).toMatch(refused)
    expect((await tryFrom(99, password, device)).redirectTo).toBe('/admin/second-factor')
    await db()
      .$executeRaw`UPDATE sign_in_failures SET since = since - interval '1 hour', locked_until = clock_timestamp() WHERE source = ''`
    expect((await tryFrom(99, password)).redirectTo).toBe('/admin/second-factor')
  })

  test('the cookie of a known browser gives no access and allows at most five failed log-ins', async () => {
    const { email, device } = await signedIn()
    expect(await personOf(device)).toBeNull()
    const thief = { ...browser, address: '198.51.100.9', cookies: device }
    for (let n = 0; n < 12; n++) await submitSignIn(new URLSearchParams({ email, password: 'wrong' }), thief)
    const counted = await db().sign_in_failures.findMany({ where: { source: { startsWith: 'device ' } } })
    expect(counted.map(({ count }) => count)).toContain(5)
    const owner = { ...browser, address: '198.51.100.10', cookies: device }
    expect((await submitSignIn(new URLSearchParams({ email, password }), owner)).redirectTo).toBe(
      '/admin/second-factor',
    )
  })

  test('a log-in replaces the secret of the known browser, and a forged secret identifies no known browser', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    const knows = (email: string, cookies: string) => knownDevice(db(), { email, cookies, isFull: true })
    expect([await knows(one.email, one.device), await knows(other.email, one.device)]).toEqual([
      expect.any(String),
      null,
    ])
    const half = cookiesOf(await signIn(one.email))
    const again = await enter(`${half}; ${one.device}`, codeOf(one.secret, 1))
    expect(await knows(one.email, one.device)).toBeNull()
    expect(await knows(one.email, again.deviceCookie?.split(';')[0] ?? '')).not.toBeNull()
    expect(again.deviceCookie).toMatch(
      /^__Host-billhook-device=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
    )
    for (const forged of ['x', `__Host-billhook-device=${'a'.repeat(43)}`])
      expect(await knows(one.email, forged)).toBeNull()
    const rows = JSON.stringify(await allRows())
    expect(rows).not.toContain(again.deviceCookie?.split(/[=;]/)[1] ?? 'none')
  })

  test('failed log-ins write the same rows and the same task for unknown and known email addresses', async () => {
    const { email } = await newOperator()
    await db().tasks.deleteMany()
    // The time stands still, so that the rows differ only in values that identify the email address.
    vi.useFakeTimers({ toFake: ['Date'] })
    const rowsAfter = async (address: string) => {
      for (let n = 0; n < 5; n++) await signIn(address, 'wrong')
      const failures = await db().sign_in_failures.findMany({
        where: { subject: passwordOf(address) },
        select: { source: true, count: true, since: true, locked_until: true },
        orderBy: { source: 'asc' },
      })
      const tasks = await db().tasks.findMany({
        select: { name: true, queue: true, clock: true, due_at: true, data: true },
      })
      await db().tasks.deleteMany()
      const withoutAddress = tasks.map((task) => {
        const { key, sealedEmail, ...data } = task.data as { key: string; sealedEmail: string }
        return { ...task, data, lengths: [key.length, sealedEmail.length] }
      })
      return { failures, tasks: withoutAddress }
    }
    const [unknown, known] = [await rowsAfter(`none${email.slice(4)}`), await rowsAfter(email)]
    expect(unknown).toEqual(known)
    expect(known).toMatchObject({
      failures: [
        { source: '', count: 5 },
        { source: browser.address, count: 5, locked_until: expect.any(Date) },
      ],
      tasks: [{ name: 'operator.record_password_lock', data: { failedLogins: 5 } }],
    })
    vi.useRealTimers()
    expect(JSON.stringify(await db().sign_in_failures.findMany())).not.toContain('@')
  })

  test('a correct log-in resets the count of failed log-ins', async () => {
    const { email, secret, cookies, operatorId } = await signedIn()
    const locks = async () =>
      (await auditLog(null, 50, operatorId)).filter(({ action }) => action === 'operator.locked')
    for (let failures = 0; failures < 4; failures++) await signIn(email, 'wrong')
    const half = cookiesOf(await signIn(email))
    expect((await enter(half, codeOf(secret, 1))).redirectTo).toBe('/admin')
    await runDueTasks()
    expect(await locks()).toEqual([])
    for (let failures = 0; failures < 5; failures++) expect(await confirmsCode('wrong', cookies)).toBe(false)
    expect(await locks()).toMatchObject([{ actor: { id: operatorId, address: browser.address } }])
  })

  test('parallel failed log-ins count toward the limit like sequential failed log-ins', async () => {
    const { email } = await newOperator()
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        submitSignIn(new URLSearchParams({ email, password: 'wrong' }), { ...browser, address: `192.0.2.${n}` }),
      ),
    )
    const counts = (await db().sign_in_failures.findMany({ where: { subject: passwordOf(email) } })).map(
      ({ count }) => count,
    )
    expect(Math.max(...counts)).toBe(30)
  })
})

describe('set-up of the second factor', () => {
  test('a session can confirm only the second-factor secret that was shown in this session', async () => {
    const { email, operatorId } = await newOperator()
    const [thief, owner] = [cookiesOf(await signIn(email)), cookiesOf(await signIn(email))]
    const [seen, own] = [await secondFactorPage(thief), await secondFactorPage(owner)]
    if (seen?.kind !== 'set_up' || own?.kind !== 'set_up') throw new Error('the first log-in sets the second factor up')
    expect(seen.secret).not.toBe(own.secret)
    expect((await enter(owner, codeOf(seen.secret))).redirectTo).toBe('/admin/second-factor?refused')
    expect((await enter(owner, codeOf(own.secret))).redirectTo).toBe('/admin')
    // The owner's confirmation ended the thief's session. Codes of the thief's secret are refused.
    expect(await secondFactorPage(thief)).toBeNull()
    expect((await enter(thief, codeOf(seen.secret))).redirectTo).toBe('/admin/sign-in')
    const again = cookiesOf(await signIn(email))
    for (const code of [codeOf(seen.secret, 1), ...seen.recoveryCodes.slice(0, 2)])
      expect((await enter(again, code)).redirectTo).toBe('/admin/second-factor?refused')
    expect((await enter(again, codeOf(own.secret, 1))).redirectTo).toBe('/admin')
    expect(await db().operator_sessions.count({ where: { operator_id: operatorId, totp_secret: { not: null } } })).toBe(
      0,
    )
  })

  test('if several sessions confirm a second factor concurrently, exactly one secret is stored', async () => {
    const { email, operatorId } = await newOperator()
    const halves = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const cookies = cookiesOf(await signIn(email))
        const page = await secondFactorPage(cookies)
        if (page?.kind !== 'set_up') throw new Error('the first log-in sets the second factor up')
        return { cookies, secret: page.secret }
      }),
    )
    const racers = halves.map(
      ({ cookies, secret }) =>
        () =>
          enter(cookies, codeOf(secret)),
    )
    const ends = await raceBehind(lockOn('operators', operatorId), racers)
    const opened = ends.filter((end) => end.status === 'fulfilled' && end.value.redirectTo === '/admin')
    expect(opened).toHaveLength(1)
    expect(await db().operator_sessions.count({ where: { operator_id: operatorId, ended_at: null } })).toBe(1)
  })
})

describe('codes', () => {
  test('a used code of the second factor is refused, and so are earlier codes', async () => {
    const { email, secret } = await signedIn()
    const half = cookiesOf(await signIn(email))
    expect((await enter(half, codeOf(secret, -1))).redirectTo).toBe('/admin/second-factor?refused')
    // The codes are created together, because the 30-second step can change between two statements.
    const [earlier, next] = [codeOf(secret), codeOf(secret, 1)]
    expect((await enter(half, next)).redirectTo).toBe('/admin')
    const other = cookiesOf(await signIn(email))
    expect((await enter(other, next)).redirectTo).toBe('/admin/second-factor?refused')
    expect((await enter(other, earlier)).redirectTo).toBe('/admin/second-factor?refused')
  })

  test('wrong codes at log-in, wrong passwords, and wrong codes in open sessions have separate limits', async () => {
    const { email, secret, cookies, device } = await signedIn()
    const half = cookiesOf(await signIn(email))
    for (const code of ['', '000000x', 'abc', '12345', '1234567']) await enter(half, code)
    expect((await enter(half, codeOf(secret, 1))).redirectTo).toBe('/admin/second-factor?refused')
    expect((await signIn(email)).redirectTo).toBe('/admin/second-factor')
    for (let n = 0; n < 6; n++) await signIn(email, 'wrong')
    expect(await confirmsCode(codeOf(secret, 1), cookies)).toBe(true)
    expect(await confirmsCode(codeOf(secret, 1), cookies)).toBe(false)
    expect(device).toMatch(/^__Host-billhook-device=/)
  })

  test('a recovery code cannot be used twice', async () => {
    const { email, recoveryCodes } = await signedIn()
    const code = recoveryCodes[3] ?? ''
    const first = cookiesOf(await signIn(email))
    expect((await enter(first, code.replaceAll('-', ' '))).redirectTo).toBe('/admin')
    const second = cookiesOf(await signIn(email))
    expect((await enter(second, code)).redirectTo).toBe('/admin/second-factor?refused')
    const dump = await db().$queryRaw<{ row: string }[]>`SELECT to_jsonb(c)::text AS row FROM operator_recovery_codes c`
    expect(JSON.stringify(dump)).not.toContain(code.replaceAll('-', ''))
  })

  test('a reset of the second factor ends all sessions, and the next log-in sets up a new factor', async () => {
    const { email, cookies, operatorId } = await signedIn()
    expect(await resetSecondFactor(email)).toEqual({ operatorId, endedSessions: 1 })
    expect(await personOf(cookies)).toBeNull()
    const half = cookiesOf(await signIn(email))
    expect((await secondFactorPage(half))?.kind).toBe('set_up')
    await expect(resetSecondFactor('nobody@example.com')).rejects.toMatchObject({ on: { email: [expect.any(String)] } })
  })
})
