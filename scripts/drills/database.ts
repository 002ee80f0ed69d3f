import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from './load.ts'
import { inTestBed, type TestBed } from './test-bed.ts'
import { judge, type Verdict } from './verdict.ts'
import { deliveries, listen, register, undelivered } from './webhooks.ts'

const kills = 20
/**
 * Durations, in seconds, for which PostgreSQL is suspended. The first duration is shorter than the time that a query
 * waits for a connection, and the second duration is longer.
 */
const standstills = [20, 90]
const minute = 60

/** Kills PostgreSQL several times, then suspends its processes for a while. */
export function postgresKilled(): Promise<Verdict> {
  return inTestBed(async (place) => {
    const endpointId = await withReceiver(place)
    const load = startLoad(place)
    const downtimes = [await load.untilService()]
    for (let kill = 0; kill < kills; kill++) {
      place.signalPostgres('SIGKILL')
      await place.restartPostgres()
      downtimes.push(await load.untilService())
      await sleep(1000)
    }
    for (const seconds of standstills) {
      place.signalPostgres('SIGSTOP')
      await sleep(seconds * 1000)
      place.signalPostgres('SIGCONT')
      downtimes.push(await load.untilService())
      await sleep(1000)
    }
    const done = `PostgreSQL killed ${kills} times, then stopped for ${standstills.join(' s and ')} s`
    return judgeWithEvents(place, endpointId, await judge(place, await load.stop(), done, downtimes.slice(1)))
  })
}

export function backendsTerminated(): Promise<Verdict> {
  return inTestBed(async (place) => {
    const endpointId = await withReceiver(place)
    const load = startLoad(place, 8)
    await load.untilService()
    const downtimes: number[] = []
    let terminated = 0
    for (let second = 0; second < minute; second++) {
      const [row] = await place.query(`
        SELECT count(pg_terminate_backend(pid))::int AS count FROM (
          SELECT pid FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY random()
          LIMIT (SELECT ceil(count(*) / 5.0) FROM pg_stat_activity WHERE backend_type = 'client backend')) AS fifth`)
      terminated += Number(row?.count)
      downtimes.push(await load.untilService())
      await sleep(1000)
    }
    const done = `${terminated} connections terminated in ${minute} rounds, a second apart`
    return judgeWithEvents(place, endpointId, await judge(place, await load.stop(), done, downtimes))
  })
}

async function withReceiver(place: TestBed): Promise<string> {
  const receiver = await listen(0)
  place.keep({ stop: receiver.close })
  return register(place, receiver.port)
}

async function judgeWithEvents(place: TestBed, endpointId: string, outcome: Verdict): Promise<Verdict> {
  const missing = await undelivered(place, endpointId)
  const { length } = await deliveries(place, endpointId)
  return {
    ...outcome,
    wrong: [...outcome.wrong, ...missing.slice(0, 5)],
    figures: `${length} events, ${missing.length} missing; ${outcome.figures}`,
  }
}
