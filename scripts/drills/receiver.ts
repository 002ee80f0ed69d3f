import { setTimeout as sleep } from 'node:timers/promises'
import { apiOf, sellOne } from '../bench/shop.ts'
import { startLoad } from './load.ts'
import { commandLine, inTestBed, type TestBed } from './test-bed.ts'
import { judge, type Verdict } from './verdict.ts'
import { deliveries, listen, register, undelivered } from './webhooks.ts'

const awayHours = 72
const soldSeconds = 10
const attemptsInAll = 10
const tooLong = 'P5D'
const patienceMs = 60_000

/** The receiver is unavailable for three days, and later for longer than the retry schedule. */
export function receiverAway(): Promise<Verdict> {
  return inTestBed(async (place) => {
    const receiver = await listen(0)
    const endpointId = await register(place, receiver.port)
    await receiver.close()
    const load = startLoad(place)
    await load.untilService()
    await sleep(soldSeconds * 1000)
    const written = await load.stop()
    await pass(place, `PT${awayHours}H`)
    const [away] = await deliveries(place, endpointId)
    const back = await listen(receiver.port)
    await pass(place, 'PT24H')
    await back.close()
    const resent = await awayTooLong(place, endpointId, receiver.port)
    const events = await deliveries(place, endpointId)
    const first = `${awayHours} hours (${away?.attempts} attempts each)`
    const done = `a receiver away for ${first} and back, then for five days`
    const outcome = await judge(place, written, done, [])
    const wrong = await undelivered(place, endpointId)
    const arrivals = `${events.length} events, ${wrong.length} missing, ${resent.count} sent again by hand`
    return {
      ...outcome,
      wrong: [...resent.wrong, ...outcome.wrong, ...wrong.slice(0, 5)],
      figures: `${arrivals}; ${outcome.figures}`,
    }
  })
}

/** Checks that each delivery fails after its tenth attempt and can be sent again. */
async function awayTooLong(
  place: TestBed,
  endpointId: string,
  port: number,
): Promise<{ count: number; wrong: string[] }> {
  const before = (await deliveries(place, endpointId)).length
  await sellOne(place.installation.baseUrl, apiOf(place.installation.baseUrl, place.installation.key))
  await pass(place, tooLong)
  const failed = (await deliveries(place, endpointId)).slice(before)
  const wrong = failed
    .filter(({ status, attempts }) => status !== 'failed' || attempts !== attemptsInAll)
    .map(({ id, status, attempts }) => `${id} is ${status} after ${attempts} attempts`)
  const back = await listen(port)
  for (const { id } of failed) await commandLine(place.installation, ['delivery', 'resend', '--delivery', String(id)])
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(200)) {
    if ((await deliveries(place, endpointId)).every(({ status }) => status === 'delivered')) break
  }
  await back.close()
  return { count: failed.length, wrong }
}

async function pass(place: TestBed, by: string): Promise<void> {
  const { baseUrl, key } = place.installation
  await apiOf(baseUrl, key).call(200, 'POST', '/v1/test-helpers/clock/advance', { by })
  while ((await place.query('SELECT 1 FROM clocks WHERE advancing_to IS NOT NULL')).length > 0) await sleep(200)
}
