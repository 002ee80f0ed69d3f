import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import { insertEmails, recentEmails } from '../modules/emails/store.ts'
import { eraseSuppressions, suppress, suppressionsOf } from '../modules/emails/suppressions.ts'
import { transact } from '../modules/events/transact.ts'
import { accountsOf, credentialsOf, saveAccount } from '../modules/provider-accounts/store.ts'
import { newId } from '../platform/crypto/identity.ts'
import { seal, searchHashes, unseal } from '../platform/crypto/sealed.ts'
import { closeDatabase, db } from '../platform/db/db.ts'
import { rewriteAnswers, sealedAt } from '../platform/http/idempotency.ts'
import { amount } from '../testing/amount.ts'
import { send } from '../testing/api.ts'
import { cli } from '../testing/command-line.ts'
import { configure } from '../testing/configure.ts'
import { takeSnapshot } from '../testing/database-snapshot.ts'
import { everySecret } from '../testing/every-secret.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { freshCode, halfSignedIn } from '../testing/operator.ts'
import { aReceiver, isSigned } from '../testing/receiver.ts'
import { recordedQueries } from '../testing/recorded-queries.ts'
import { aShop, runDueTasks, type Shop } from '../testing/shop.ts'
import { renewSecretKey } from './renew-secret-key.ts'
import type { Renewed } from './renewal-verdict.ts'
import { proveSecretKey, requireSecretKey, unreadableKinds } from './secret-key.ts'

const former = 'the former key of this installation that is long enough'
const current = 'the current key of this installation that is long enough'
const use = (key: string, ...previous: string[]) =>
  configure({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: previous.length > 0 ? previous.join(',') : undefined })
const silent = () => undefined

let filled: Awaited<ReturnType<typeof everySecret>>
let restore: () => Promise<void>
let receiver: Awaited<ReturnType<typeof aReceiver>>
let shop: Shop
const secret = 'whsec_of_the_endpoint_0123456789'

beforeAll(async () => {
  use(former)
  await db().key_proofs.deleteMany()
  filled = await everySecret()
  receiver = await aReceiver()
  shop = await aShop()
  const body = { url: receiver.url, secret }
  expect((await send('POST /v1/webhook-endpoints', { key: shop.testKey, body })).status).toBe(201)
  restore = await takeSnapshot()
})
beforeEach(async () => {
  await restore()
  use(current, former)
  await proveSecretKey()
})
afterAll(async () => {
  use(current, former)
  await Promise.all([filled.close(), receiver.close()])
})

const total = (rows: readonly Renewed[], of: keyof Omit<Renewed, 'values'>) =>
  rows.reduce((sum, row) => sum + row[of], 0)
const rowOf = (rows: readonly Renewed[], name: string) => rows.find(({ values }) => values === name)
const apiKeys = async () => {
  const all = await Promise.all((await accountsOf(db())).map((account) => credentialsOf(db(), account)))
  return all.map((credentials) => (credentials === 'lost' ? 'lost' : credentials?.apiKey))
}
const suppressed = async (address: string) => (await suppressionsOf(db(), filled.scope, address)).length

describe('after `secret-key renew`', () => {
  it('after `secret-key renew`, the service works without the former key', async () => {
    const renewed = await renewSecretKey(silent)
    expect(total(renewed, 'left')).toBe(0)
    use(current)
    await requireSecretKey()
    expect(await unreadableKinds()).toEqual([])
    expect(await apiKeys()).toEqual(['live_seedseedseed'])
    expect(await brokenInvariants()).toEqual({})
    await transact(shop.scope, (tx) => tx.emit({ name: 'order.paid', object: { id: 'order_1' } }))
    await runDueTasks(1000)
    const delivered = receiver.events().at(-1)
    expect(delivered && isSigned(delivered, secret)).toBe(true)
    expect(await freshCode(filled.operator.operatorId)).toMatch(/^\d{6}$/)
    expect(await halfSignedIn('ops@example.com')).not.toBeNull()
    expect(await suppressed('gone@example.com')).toBe(1)
    expect(await verifyAudit()).toMatchObject({ brokenAt: null })
    use(former)
    await expect(requireSecretKey()).rejects.toThrow(/^SECRET_KEY is not the key/)
  })

  it('a second `secret-key renew` changes no value', async () => {
    const first = await renewSecretKey(silent)
    expect(total(first, 'renewed')).toBeGreaterThan(100)
    const second = await renewSecretKey(silent)
    expect([total(second, 'renewed'), total(second, 'left')]).toEqual([0, 0])
  })

  it('the suppression of an erased address has no effect without the former key, and `secret-key renew` counts such suppressions', async () => {
    expect(rowOf(await renewSecretKey(silent), 'email_suppressions.sealed')).toMatchObject({ oldHashes: 1 })
    expect(await suppressed('erased@example.com')).toBe(1)
    use(current)
    expect(await suppressed('erased@example.com')).toBe(0)
  })

  it('each `secret-key renew` counts the suppressions of erased addresses, because their hashes may need the former key', async () => {
    await renewSecretKey(silent)
    expect(rowOf(await renewSecretKey(silent), 'email_suppressions.sealed')).toMatchObject({ renewed: 0, oldHashes: 1 })
  })
})

it('a suppression whose address was erased after the change of the key can be read without the former key', async () => {
  await eraseSuppressions(db(), filled.scope, new Set(['gone@example.com']))
  use(current)
  expect(await suppressionsOf(db(), filled.scope, 'gone@example.com')).toMatchObject([
    { address: null, cause: 'bounce' },
  ])
})

describe('an interrupted `secret-key renew`', () => {
  it('`secret-key renew` can be repeated if it was interrupted after any column', async () => {
    let lines = 0
    await renewSecretKey(() => {
      lines += 1
    })
    for (let end = 1; end <= lines; end += amount({ short: 6, long: 1 })) {
      await restore()
      await proveSecretKey()
      let said = 0
      const ended = renewSecretKey(() => {
        if (++said === end) throw new Error('the process ends here')
      })
      await expect(ended).rejects.toThrow('the process ends here')
      expect(await unreadableKinds()).toEqual([])
      expect(total(await renewSecretKey(silent), 'left')).toBe(0)
      use(current)
      expect([await apiKeys(), await unreadableKinds()]).toEqual([['live_seedseedseed'], []])
      use(current, former)
    }
  })
})

describe('`secret-key renew` beside the service', () => {
  async function whileLocked<Result>(sql: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
    await client.connect()
    try {
      await client.query('BEGIN')
      await client.query(sql)
      return await work(client)
    } finally {
      await client.end()
    }
  }

  async function waiting(client: pg.Client): Promise<number> {
    const { rows } = await client.query(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    return rows[0].count
  }

  it('`secret-key renew` keeps a value that a process with the former key writes at the same time', async () => {
    const [account] = await accountsOf(db())
    const place = `provider_accounts|${account?.id}|sealed`
    const credentials = { apiKey: 'live_newnewnewnew', accessToken: null, webhookSecret: null }
    use(former)
    const written = seal(JSON.stringify(credentials), place)
    use(current, former)
    await whileLocked('SELECT 1 FROM provider_accounts FOR UPDATE', async (client) => {
      const commit = async () => {
        await client.query('UPDATE provider_accounts SET sealed = $1', [Buffer.from(written)])
        await client.query('COMMIT')
      }
      let committed: Promise<void> | undefined
      const renewed = await renewSecretKey((line) => {
        // The key renewal prints the line about `email_changes` before it reads the provider accounts. The other
        // transaction commits at this time.
        if (line.startsWith('email_changes.')) committed ??= commit()
      })
      await committed
      expect(rowOf(renewed, 'provider_accounts.sealed')).toMatchObject({ renewed: 1, left: 0 })
    })
    use(current)
    expect(await apiKeys()).toEqual(['live_newnewnewnew'])
  })

  it('`secret-key renew` skips a value in a locked row and counts the value under `left`, and the next run encrypts the value', async () => {
    const during = await whileLocked('SELECT 1 FROM provider_accounts FOR UPDATE', () => renewSecretKey(silent, 10))
    expect(rowOf(during, 'provider_accounts.sealed')).toMatchObject({ renewed: 0, left: 1 })
    expect(total(during, 'left')).toBe(1)
    expect(rowOf(await renewSecretKey(silent), 'provider_accounts.sealed')).toMatchObject({ renewed: 1, left: 0 })
  })

  it('`secret-key renew` retries locked rows in portions of at most 100 rows, and does not read the values of these rows', async () => {
    await addEmails(210)
    const queries = await whileLocked('SELECT 1 FROM emails FOR UPDATE', () =>
      recordedQueries(async () => {
        expect(rowOf(await renewSecretKey(silent, 10), 'emails.sealed')).toMatchObject({ renewed: 0 })
      }),
    )
    const reads = queries.filter(({ text }) => text.includes('FROM "emails"') && text.includes('json_to_recordset'))
    const retries = reads.filter(({ text }) => text.includes('NULL AS sealed_value'))
    expect(retries.length).toBeGreaterThan(20)
    const sizes = reads.map(({ values }) => JSON.parse(String(values[0])).length)
    expect(Math.max(...sizes)).toBe(100)
  })

  it('a stored response is erased even if `secret-key renew` encrypts it between the read and the write of the erasure', async () => {
    const { method, route, key, ...row } = await db().idempotency_keys.findFirstOrThrow({ where: { key: 'once' } })
    const tenant = { storefrontId: row.storefront_id, testmode: row.testmode }
    const place = sealedAt({ tenant, method, route, key })
    const plain = unseal(Buffer.from(row.body ?? '', 'base64'), place)
    await whileLocked("SELECT 1 FROM idempotency_keys WHERE key = 'once' FOR UPDATE", async (client) => {
      const erasing = rewriteAnswers(tenant, (body) => body.replace('ada@example.com', 'erased'))
      await expect.poll(() => waiting(client)).toBe(1)
      const again = Buffer.from(seal(plain, place)).toString('base64')
      await client.query("UPDATE idempotency_keys SET body = $1 WHERE key = 'once'", [again])
      await client.query('COMMIT')
      await erasing
    })
    const { body } = await db().idempotency_keys.findFirstOrThrow({ where: { key: 'once' } })
    expect(unseal(Buffer.from(body ?? '', 'base64'), place)).toBe(plain.replace('ada@example.com', 'erased'))
    expect(plain).toContain('ada@example.com')
  })

  const notice = { address: 'twin@example.com', cause: 'bounce', reason: null } as const
  const at = (day: string) => new Date(`2026-11-${day}T10:00:00Z`)
  const suppressWith = async (key: string, day: string) => {
    use(key)
    await db().$transaction((sql) => suppress(sql, filled.scope, { ...notice, at: at(day) }))
    const rows = await suppressionRows()
    use(current, former)
    return rows[0] as (typeof rows)[number]
  }
  const suppressionRows = () =>
    db().email_suppressions.findMany({ where: { address_hash: searchHashes(notice.address)[0] } })

  it('if one address has two suppressions with different hashes, `secret-key renew` keeps the newer suppression', async () => {
    await suppressWith(former, '21')
    await suppressWith(current, '22')
    expect(await suppressed(notice.address)).toBe(2)
    expect(total(await renewSecretKey(silent), 'left')).toBe(0)
    expect(await suppressionsOf(db(), filled.scope, notice.address)).toMatchObject([{ noticedAt: at('22') }])
  })

  it('an address with two suppressions is erased, even if `secret-key renew` replaces the hash of one suppression at the same time', async () => {
    const older = 'an older key of this installation that is long enough'
    await suppressWith(older, '21')
    const { id } = await suppressWith(former, '22')
    use(current, former, older)
    const [hash] = searchHashes(notice.address)
    await whileLocked('SELECT 1', async (client) => {
      await client.query('UPDATE email_suppressions SET address_hash = $1 WHERE id = $2', [Buffer.from(hash), id])
      const erasing = db().$transaction((sql) => eraseSuppressions(sql, filled.scope, new Set([notice.address])))
      await expect.poll(() => waiting(client)).toBe(1)
      await client.query('COMMIT')
      await erasing
    })
    expect(await suppressionsOf(db(), filled.scope, notice.address)).toMatchObject([
      { address: null, noticedAt: at('22') },
    ])
  })

  it('`secret-key renew` never waits for a suppression that another transaction has locked', async () => {
    const { id: older } = await suppressWith(current, '21')
    const { id: newer } = await suppressWith(former, '22')
    await whileLocked(`SELECT 1 FROM email_suppressions WHERE id = '${older}' FOR UPDATE`, async (client) => {
      let renewing: Promise<Renewed[]> | undefined
      await new Promise<void>((reached) => {
        renewing = renewSecretKey((line) => {
          if (line.startsWith('emails.sealed')) reached()
        })
      })
      // Waits long enough for a deadlock to show. If the key renewal waited for the older suppression, PostgreSQL would
      // end this transaction after a second, because of a deadlock.
      await pause(1_500)
      await client.query(`SELECT 1 FROM email_suppressions WHERE id = '${newer}' FOR UPDATE`)
      await client.query('COMMIT')
      expect(total((await renewing) ?? [], 'left')).toBe(0)
    })
    expect(await suppressionsOf(db(), filled.scope, notice.address)).toMatchObject([{ noticedAt: at('22') }])
  })
})

it('`secret-key renew` encrypts more values than one page holds', async () => {
  await addEmails(2_100)
  const renewed = rowOf(await renewSecretKey(silent), 'emails.sealed')
  expect(renewed?.renewed).toBeGreaterThan(2_100)
  expect(renewed?.left).toBe(0)
  use(current)
  const found = await recentEmails(db(), shop.storefrontId, true, 3_000)
  expect(new Set(found.map(({ to }) => to)).size).toBe(2_100)
})

/**
 * Adds emails that are encrypted with the former key. One email has more bytes than the key renewal reads in one
 * transaction.
 */
async function addEmails(length: number): Promise<void> {
  use(former)
  const emails = Array.from({ length }, (_, index) => ({
    id: newId('mail_', new Date()),
    kind: 'receipt' as const,
    locale: 'en' as const,
    to: `buyer${index}@example.com`,
    body: { subject: 'Receipt', text: 'x'.repeat(index === 7 ? 9_000_000 : 10), html: '' },
    status: 'kept' as const,
    orderId: null,
    subscriptionId: null,
    customerId: null,
    originalId: null,
    createdAt: new Date('2026-11-24T10:00:00Z'),
  }))
  await insertEmails(db(), shop.scope, emails)
  use(current, former)
}

describe('the result of `secret-key renew`', () => {
  it('`secret-key renew` says that the former key can be removed', async () => {
    const { status, stdout, stderr } = await cli('secret-key renew')
    expect(status).toBe(0)
    expect(stdout).toContain('No value needs the keys in SECRET_KEY_PREVIOUS. Remove these keys')
    expect(stderr).toMatch(/^emails\.sealed: \d+ values read, \d+ encrypted again$/m)
  })

  it('`secret-key renew` refuses while running processes may not know the new key', async () => {
    await restore()
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
    await client.connect()
    try {
      const { status, stderr } = await cli('secret-key renew')
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/^The service has not started with this SECRET_KEY\./),
      ])
    } finally {
      await client.end()
    }
    use(former)
    expect(await apiKeys()).toEqual(['live_seedseedseed'])
  })

  it('`secret-key renew` refuses to run if the database role of the service cannot see the types of other connections', async () => {
    await restore()
    const url = process.env.DATABASE_URL ?? ''
    const role = `limited_${process.pid}`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'; GRANT SELECT ON key_proofs TO ${role}`)
      await closeDatabase()
      configure({ DATABASE_URL: Object.assign(new URL(url), { username: role, password: 'hunter2' }).href })
      await expect(renewSecretKey(silent, 10)).rejects.toThrow(/^The service has not started with this SECRET_KEY\./)
    } finally {
      await closeDatabase()
      configure({ DATABASE_URL: url })
      await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
      await client.end()
    }
  })

  it('`secret-key renew` names a value that was changed outside the service, and continues', async () => {
    await db().$executeRaw`UPDATE provider_accounts SET sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)`
    const [account] = await accountsOf(db())
    const { status, stdout, stderr } = await cli('secret-key renew')
    expect(status).toBe(1)
    expect(stdout).toContain('Values that were changed outside Billhook cannot be decrypted with any key.')
    expect(stderr).toContain(`provider_accounts|${account?.id}|sealed`)
    expect(await suppressed('gone@example.com')).toBe(1)
  })

  it('`secret-key renew` names an encrypted text that is not base64, and continues', async () => {
    await db().$executeRaw`UPDATE idempotency_keys SET body = '!!!!!!!!!!' WHERE key = 'once'`
    await db().$executeRaw`
      UPDATE tasks SET data = jsonb_set(data, '{sealedEmail}', '"é"') WHERE name = 'operator.email_password_link'`
    await db().$executeRaw`UPDATE payout_accounts SET sealed = '\\x010203'`
    const said: string[] = []
    const renewed = await renewSecretKey((line) => said.push(line))
    for (const name of ['idempotency_keys.body', 'tasks.data', 'payout_accounts.sealed'])
      expect(rowOf(renewed, name)).toMatchObject({ left: 0, unreadable: 0, damaged: 1 })
    expect(total(renewed, 'damaged')).toBe(3)
    expect(said.join('')).toMatch(/changed outside Billhook: .*once/)
    expect(rowOf(renewed, 'emails.sealed')?.renewed).toBeGreaterThan(0)
  })

  it('`secret-key renew` keeps a value whose key is not configured, and does not count it as a value that needs a former key', async () => {
    use('another key of this installation that is long enough')
    const [account] = await accountsOf(db())
    if (!account) throw new Error('there is no account')
    await saveAccount(db(), account, { apiKey: 'live_lostlostlost', accessToken: null, webhookSecret: null })
    use(current, former)
    const renewed = await renewSecretKey(silent)
    expect(rowOf(renewed, 'provider_accounts.sealed')).toMatchObject({ renewed: 0, left: 0, unreadable: 1 })
    use(current, 'another key of this installation that is long enough')
    expect(await apiKeys()).toEqual(['live_lostlostlost'])
  })
})
