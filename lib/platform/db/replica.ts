import { config } from '../config.ts'
import { log } from '../log.ts'
import { shortError } from '../short-error.ts'
import { runOnDatabase, type Sql, sqlOn } from './db.ts'
import { openPool, shared } from './pool.ts'
import { runOn } from './run.ts'
import { isOtherDatabase, isUnavailable } from './unavailable.ts'

/** Milliseconds for which the replica is not used after it failed to respond. */
const restMs = 5_000
/** Milliseconds for which the replica is not used after it proved to be a copy of another database. */
const wrongRestMs = 60_000
let restsUntil = 0

const replica = sqlOn(async (statement) => {
  if (config().databaseReplicaUrl === null || performance.now() < restsUntil) return runOnDatabase(statement)
  try {
    return await runOn(pool(), statement)
  } catch (error) {
    const isWrong = isOtherDatabase(error)
    if (!isWrong && !isUnavailable(error)) throw error
    const why = isWrong ? 'the replica belongs to a different database' : 'the replica is unavailable'
    log.warn({ error: shortError(error) }, `${why}: lists use the main database`)
    restsUntil = performance.now() + (isWrong ? wrongRestMs : restMs)
    return runOnDatabase(statement)
  }
})

function pool() {
  const { databaseReplicaUrl, databasePool } = config()
  shared.billhookReplica ??= openPool(databasePool, databaseReplicaUrl ?? undefined)
  return shared.billhookReplica
}

/** Runs queries on the replica, without a fallback to the primary. Null if no replica is configured. */
export const replicaItself = (): Sql | null =>
  config().databaseReplicaUrl === null ? null : sqlOn((statement) => runOn(pool(), statement))

/** Use this for reads of many rows that may be slightly outdated. Falls back to the primary if the replica cannot be used. */
export const reader = (): Sql => replica
