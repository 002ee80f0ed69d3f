import { config } from '../config.ts'
import { log } from '../log.ts'
import { shortError } from '../short-error.ts'
import { runOnDatabase, type Sql, sqlOn } from './db.ts'
import { openPool, shared } from './pool.ts'
import { runOn } from './run.ts'
import { isOtherDatabase, isUnavailable } from './unavailable.ts'

/** How long the replica is not used after it failed to respond. */
const restMs = 5_000
/** How long the replica is not used after it lacked the requested data, which an operator must repair. */
const wrongRestMs = 60_000
let restsUntil = 0

const replica = sqlOn(async (statement) => {
  if (config().databaseReplicaUrl === null || performance.now() < restsUntil) return runOnDatabase(statement)
  try {
    return await runOn(pool(), statement)
  } catch (error) {
    const isWrong = isOtherDatabase(error)
    if (!isWrong && !isUnavailable(error)) throw error
    const why = isWrong ? 'the replica is not one of this database' : 'the replica is away'
    log.warn({ error: shortError(error) }, `${why}: lists are read from the database`)
    restsUntil = performance.now() + (isWrong ? wrongRestMs : restMs)
    return runOnDatabase(statement)
  }
})

function pool() {
  const { databaseReplicaUrl, databasePool } = config()
  shared.billhookReplica ??= openPool(databasePool, databaseReplicaUrl ?? undefined)
  return shared.billhookReplica
}

/** The replica, even while it fails; null without one. */
export const replicaItself = (): Sql | null =>
  config().databaseReplicaUrl === null ? null : sqlOn((statement) => runOn(pool(), statement))

/**
 * For reads of many rows that may be slightly outdated. Uses the replica (`DATABASE_REPLICA_URL`), or the database if
 * the replica is unavailable or belongs to another database. Never write through it.
 */
export const reader = (): Sql => replica
