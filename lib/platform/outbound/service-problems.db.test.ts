import { afterEach, beforeEach, expect, it } from 'vitest'
import { db } from '../db/db.ts'
import { ServiceProblems } from './service-problems.ts'

let one: ServiceProblems
let two: ServiceProblems
const mollie = { kind: 'payments', account: 'mollie' } as const

beforeEach(() => {
  one = new ServiceProblems()
  two = new ServiceProblems()
})
afterEach(async () => {
  await Promise.all([one.stop(), two.stop()])
  await db().$executeRaw`DELETE FROM service_problems`
})

const writes = async () => (await db().$queryRaw<{ xmin: string }[]>`SELECT xmin::text FROM service_problems`)[0]?.xmin

it('a process reads a problem that another process reported, with its start time', async () => {
  one.report(mollie, 'answers 503')
  const [seen] = await one.all()
  expect(seen).toMatchObject({ service: mollie, problem: 'answers 503' })
  expect(await two.all()).toEqual([seen])
})

it('a reported service problem is written to the database even if the reporting process never reads problems', async () => {
  one.report(mollie, 'answers 503')
  await expect.poll(async () => (await two.all()).length).toBe(1)
})

it('a response of a service to one process ends the problem of the service for all processes', async () => {
  one.report(mollie, 'answers 503')
  await one.all()
  two.start()
  await expect
    .poll(async () => {
      two.resolve(mollie)
      return two.all()
    })
    .toEqual([])
  expect(await one.all()).toEqual([])
})

it('a response for one account of a provider does not end the problem of another account', async () => {
  one.report(mollie, 'refuses the API key')
  one.report({ ...mollie, account: 'mollie-1' }, 'answers 503')
  one.resolve(mollie)
  await one.all()
  expect(await two.all()).toMatchObject([{ service: { kind: 'payments', account: 'mollie-1' } }])
})

it('a problem has the start time of its first report if two processes report it', async () => {
  one.report(mollie, 'answers 503')
  const [first] = await one.all()
  two.report(mollie, 'does not answer')
  expect(await two.all()).toEqual([{ ...first, problem: 'does not answer' }])
})

it('a problem of a service expires if no process reports the problem again', async () => {
  one.report(mollie, 'answers 503', 60_000)
  const [first] = await one.all()
  await db().$executeRaw`
    UPDATE service_problems SET since = since - interval '1 hour', expires_at = expires_at - interval '61 seconds'`
  expect(await two.all()).toEqual([])
  two.report(mollie, 'answers 503', 60_000)
  const [second] = await two.all()
  expect(second?.since.getTime()).toBeGreaterThanOrEqual(first?.since.getTime() ?? 0)
  await db().$executeRaw`UPDATE service_problems SET expires_at = expires_at - interval '61 seconds'`
  one.start()
  await expect.poll(() => db().service_problems.count()).toBe(0)
})

it('a thousand reports of the same problem cause one write', async () => {
  one.report(mollie, 'answers 503')
  await one.all()
  const written = await writes()
  for (let n = 0; n < 1_000; n++) one.report(mollie, 'answers 503')
  await one.all()
  expect(await writes()).toBe(written)
})

it('a service problem is written after the database is available again', async () => {
  await db().$executeRaw`ALTER TABLE service_problems RENAME TO service_problems_away`
  one.report(mollie, 'answers 503')
  await expect(one.all()).rejects.toThrow('service_problems')
  await db().$executeRaw`ALTER TABLE service_problems_away RENAME TO service_problems`
  expect(await one.all()).toMatchObject([{ problem: 'answers 503' }])
})
