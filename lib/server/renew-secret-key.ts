import { setTimeout as pause } from 'node:timers/promises'
import { olderEntries, renewAudit } from '../modules/audit/renew.ts'
import { isSealedNow, seal, sealKeyIds } from '../platform/crypto/sealed.ts'
import { db, type Sql } from '../platform/db/db.ts'
import { codeOf } from '../platform/db/one-connection.ts'
import { type Encrypted, encrypted, type KeyColumn } from './encrypted.ts'
import {
  type Found,
  idOf,
  isHashFinal,
  keyColumnsOf,
  lockRows,
  lookAtRows,
  type Opened,
  openedOf,
  pagesOf,
  placeOf,
  readAgain,
  replaceValue,
} from './encrypted-rows.ts'
import { auditLog, type Renewed } from './renewal-verdict.ts'

/**
 * `mostRows` is the maximum number of rows that a transaction changes. `mostBytes` is the maximum number of bytes that
 * it reads. A larger value has its own transaction.
 */
const mostRows = 100
const mostBytes = 4_000_000

/** A row that another transaction has locked is tried again at most `mostTries` times. */
const mostTries = 10

const sayEveryMs = 5_000

export const hasFormerKey = (): boolean => sealKeyIds().previous.length > 0

type Say = (line: string) => void

class NotStarted extends Error {
  override name = 'UserFacingError'
}

/**
 * Encrypts all stored values with the current key, so that the previous keys can be removed. The function replaces a
 * value only if no other transaction has changed it. It can therefore be repeated, interrupted at any time, and run
 * while the service runs. Throws if other connections to the database exist and no process has started with the current
 * key. `say` gets lines of progress, and the places of damaged values.
 * `waitMs` is the time between two tries of a locked row, in milliseconds.
 */
export async function renewSecretKey(say: Say, waitMs = 500): Promise<Renewed[]> {
  await requireStarted(waitMs)
  const renewals: Renewal[] = []
  for (const of of encrypted) renewals.push(await renewColumn(of, say, waitMs))
  const log = await renewAudit()
  // Values are counted last, because a process with an older key can write values at any time.
  const counted: Renewed[] = []
  for (const renewal of renewals) counted.push(await countColumn(renewal, say))
  const { older, brokenAt } = await olderEntries()
  const entries =
    log === 'broken' || brokenAt !== null
      ? { renewed: log === 'broken' ? 0 : log, left: 0, damaged: 1 }
      : { renewed: log, left: older, damaged: 0 }
  return [...counted, { values: auditLog, ...entries, unreadable: 0, oldHashes: 0 }]
}

/**
 * Throws unless a process has started with the current key, or nothing else is connected to the database. A process
 * that does not know the current key could read no value after the renewal. The key proof shows whether a process has
 * started with the current key, because the service then encrypts the proof with this key. The check also passes if
 * other processes still run with a former key.
 */
async function requireStarted(waitMs: number): Promise<void> {
  const proof = await db().key_proofs.findFirst({ where: { id: 1 } })
  if (proof && isSealedNow(proof.sealed)) return
  // PostgreSQL needs a moment to end the connections of processes that have just stopped.
  for (let tried = 0; tried < 4; tried++) {
    if (tried > 0) await pause(waitMs)
    const [others] = await db().$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        -- Without the privileges of pg_read_all_stats, backend_type is NULL for connections of other roles.
        AND (backend_type = 'client backend' OR (backend_type IS NULL AND usesysid IS NOT NULL))`
    if (others?.count === 0) return
  }
  throw new NotStarted(
    'The service has not started with this SECRET_KEY. Start all processes with the new key, and list the former key in SECRET_KEY_PREVIOUS. ' +
      'Or stop all processes, and close all other connections to the database.',
  )
}

interface Renewal {
  readonly of: Encrypted
  readonly key: readonly KeyColumn[]
  renewed: number
}

async function renewColumn(of: Encrypted, say: Say, waitMs: number): Promise<Renewal> {
  const renewal: Renewal = { of, key: await keyColumnsOf(of), renewed: 0 }
  let read = 0
  let saidAt = performance.now()
  const line = () => say(`${of.name}: ${read} values read, ${renewal.renewed} encrypted again\n`)
  const missed: Found[] = []
  for await (const page of pagesOf(of, renewal.key)) {
    missed.push(...(await renewAll(renewal, page)))
    read += page.length
    if (performance.now() - saidAt < sayEveryMs) continue
    line()
    saidAt = performance.now()
  }
  let left = missed
  for (let tried = 0; left.length > 0 && tried < mostTries; tried++) {
    await pause(waitMs)
    const portions = portionsOf(of, left)
    left = []
    for (const portion of portions) left.push(...(await renewAll(renewal, await readAgain(of, renewal.key, portion))))
  }
  if (read > 0) line()
  return renewal
}

/** Renews the rows. Returns the rows that another transaction has locked, changed, or deleted. */
async function renewAll(renewal: Renewal, rows: readonly Found[]): Promise<Found[]> {
  const missed: Found[] = []
  const older = rows.filter((row) => stateOf(renewal.of, row).kind === 'older')
  for (const portion of portionsOf(renewal.of, older)) missed.push(...(await renewPortion(renewal, portion)))
  return missed
}

/**
 * `older`: the value, or its search hash, needs a previous key. `damaged`: the value has a previous key, but cannot be decrypted, or the value has no id of a
 * key. The value itself is checked only if it was read. `opened` is null if the value was not read, or cannot be decrypted.
 */
interface State {
  readonly kind: 'current' | 'older' | 'unreadable' | 'damaged'
  readonly opened: Opened | null
}

function stateOf(of: Encrypted, row: Found): State {
  const { current, previous } = sealKeyIds()
  if (row.key === '') return { kind: 'damaged', opened: null }
  const isOlder = previous.includes(row.key)
  if (row.key !== current && !isOlder) return { kind: 'unreadable', opened: null }
  if (row.stored === null) return { kind: isOlder ? 'older' : 'current', opened: null }
  try {
    const opened = openedOf(of, row)
    return { kind: opened.isCurrent ? 'current' : 'older', opened }
  } catch {
    return { kind: isOlder ? 'damaged' : 'current', opened: null }
  }
}

/** Rows with a search hash are renewed one by one, because the new hash can violate a unique index. */
function portionsOf(of: Encrypted, rows: readonly Found[]): Found[][] {
  const portions: Found[][] = []
  let bytes = 0
  for (const row of rows) {
    const last = portions.at(-1)
    const isFull = !last || of.found || last.length === mostRows || bytes + row.bytes > mostBytes
    if (isFull) portions.push([row])
    else last.push(row)
    bytes = isFull ? row.bytes : bytes + row.bytes
  }
  return portions
}

/**
 * PostgreSQL error codes after which a row is tried again: a unique violation, a deadlock, and an unavailable lock. In
 * each case, another transaction has changed or locked the row, or a row with the same search hash.
 */
const passing = ['23505', '40P01', '55P03']

async function renewPortion(renewal: Renewal, rows: readonly Found[]): Promise<readonly Found[]> {
  try {
    const { renewed, missed } = await db().$transaction((sql) => renewLocked(sql, renewal, rows))
    renewal.renewed += renewed
    return missed
  } catch (error) {
    if (passing.includes(codeOf(error) ?? '')) return rows
    throw error
  }
}

async function renewLocked(sql: Sql, { of, key }: Renewal, rows: readonly Found[]) {
  const missed = new Map(rows.map((row) => [idOf(row), row]))
  let renewed = 0
  for (const row of await lockRows(sql, of, key, rows)) {
    missed.delete(idOf(row))
    const { kind, opened } = stateOf(of, row)
    if (kind !== 'older' || opened === null) continue
    const { plain, hash } = opened
    if (hash) await of.found?.beforeHash?.(sql, String(row.values.id), hash)
    if (!(await replaceValue(sql, of, key, row, { sealed: seal(plain, placeOf(of, row)), hash }))) continue
    renewed += 1
  }
  return { renewed, missed: [...missed.values()] }
}

async function countColumn({ of, key, renewed }: Renewal, say: Say): Promise<Renewed> {
  const counted = { left: 0, unreadable: 0, damaged: 0, oldHashes: 0 }
  for await (const page of pagesOf(of, key)) {
    // Reads and decrypts the values that have a previous key. A value that cannot be decrypted counts as damaged, and
    // does not need its key in the future.
    const unread: Found[] = []
    for (const row of page) {
      const state = stateOf(of, row)
      if (state.kind === 'older' && row.stored === null) unread.push(row)
      else count(counted, of, row, state, say)
    }
    for (const portion of portionsOf(of, unread))
      for (const row of await lookAtRows(of, key, portion)) count(counted, of, row, stateOf(of, row), say)
  }
  return { values: of.name, renewed, ...counted }
}

type Counted = Record<'left' | 'unreadable' | 'damaged' | 'oldHashes', number>

function count(counted: Counted, of: Encrypted, row: Found, { kind, opened }: State, say: Say): void {
  if (isHashFinal(of, row, opened)) counted.oldHashes += 1
  if (kind === 'older') counted.left += 1
  if (kind === 'unreadable') counted.unreadable += 1
  if (kind !== 'damaged') return
  counted.damaged += 1
  say(`Cannot be decrypted, because it was changed outside Billhook: ${placeOf(of, row)}\n`)
}
