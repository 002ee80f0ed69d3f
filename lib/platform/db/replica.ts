import { config } from '../config.ts'
import { log } from '../log.ts'
import { shortError } from '../short-error.ts'
import { runOnDatabase, type Sql, sqlOn } from './db.ts'
import { openPool, shared } from './pool.ts'
import { runOn } from './run.ts'
import { isUnavailable } from './unavailable.ts'

/** How long the replica is not asked after it did not answer. */
const restMs = 5_000
let restsUntil = 0

const replica = sqlOn(async (statement) => {
  const { databaseReplicaUrl, databasePool } = config()
  if (databaseReplicaUrl === null || performance.now() < restsUntil) return runOnDatabase(statement)
  shared.billhookReplica ??= openPool(databasePool, databaseReplicaUrl)
  try {
    return await runOn(shared.billhookReplica, statement)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn({ error: shortError(error) }, 'the replica is away: lists are read from the database')
    restsUntil = performance.now() + restMs
    return runOnDatabase(statement)
  }
})

/**
 * For reads of many rows that may be a moment old: the replica (`DATABASE_REPLICA_URL`), or the database if there is none or it
 * is away. Nothing is changed through it.
 */
export const reader = (): Sql => replica
