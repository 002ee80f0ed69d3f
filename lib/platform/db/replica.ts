import { config } from '../config.ts'
import { log } from '../log.ts'
import { shortError } from '../short-error.ts'
import { runOnDatabase, type Sql, sqlOn } from './db.ts'
import { openPool, shared } from './pool.ts'
import { runOn } from './run.ts'
import { isOtherDatabase, isUnavailable } from './unavailable.ts'

/** How long the replica is not asked after it did not answer. */
const restMs = 5_000
/** And after it answered that what is asked for is not there: that takes somebody to mend it. */
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

/** The replica, whatever it answers; null without one. */
export const replicaItself = (): Sql | null =>
  config().databaseReplicaUrl === null ? null : sqlOn((statement) => runOn(pool(), statement))

/**
 * For reads of many rows that may be a moment old: the replica (`DATABASE_REPLICA_URL`), or else the database, where it
 * is away, or what it has is not this database. Nothing is changed through it.
 */
export const reader = (): Sql => replica
