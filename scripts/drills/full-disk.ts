import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from './load.ts'
import { inTestBed, type TestBed } from './test-bed.ts'
import { judge, type Verdict } from './verdict.ts'

const size = { all: '512m', log: '256m' }
const fills = 3
const fullSeconds = 10
const roomSeconds = 5
const block = Buffer.alloc(2 ** 20, 1)

export const diskFull = (): Promise<Verdict | null> =>
  onSmallDisk('disk-full', size.all, async (disk) => {
    const before = process.env.TMPDIR
    process.env.TMPDIR = disk
    try {
      return await inTestBed((place) => fillAgainAndAgain(place, disk, 'the disk of PostgreSQL'))
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
  })

export const logFull = (): Promise<Verdict | null> =>
  onSmallDisk('log-full', size.log, (disk) =>
    inTestBed(async (place) => {
      await moveLog(place, disk)
      // PostgreSQL can write until its existing 16 MB log files are full, so `fillFile` makes PostgreSQL switch to the next file.
      const fillFile = () => place.query('SELECT pg_switch_wal()').then(nothing, nothing)
      return fillAgainAndAgain(place, disk, 'the disk of the write-ahead log', fillFile)
    }),
  )

/** Runs `work` with a small file system in memory. Returns null if the user of this process may not mount a file system. */
async function onSmallDisk(
  drill: string,
  size: string,
  work: (disk: string) => Promise<Verdict>,
): Promise<Verdict | null> {
  const mounted = mkdtempSync(path.join(os.tmpdir(), 'billhook-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', mounted]).status !== 0) {
    rmdirSync(mounted)
    console.log(`${drill} was not run: mounting its small file system needs root on Linux.`)
    return null
  }
  try {
    return await work(mounted)
  } finally {
    spawnSync('umount', [mounted])
    rmdirSync(mounted)
  }
}

async function moveLog(place: TestBed, disk: string): Promise<void> {
  const [log, moved] = [path.join(place.installation.postgres, 'pg_wal'), path.join(disk, 'pg_wal')]
  place.signalPostgres('SIGINT')
  while (place.postgresRuns()) await sleep(20)
  // `cp -a` keeps the owner of the files. Without `-a`, PostgreSQL could not write to the copies, because PostgreSQL and this
  // process run as different users.
  if (spawnSync('cp', ['-a', log, moved]).status !== 0) throw new Error(`${log} could not be copied`)
  renameSync(log, `${log}-before`)
  symlinkSync(moved, log)
  await place.restartPostgres()
}

/**
 * Fills the disk repeatedly. `spend` makes PostgreSQL use up the log files that it had created before the disk was full. With `spend`, the drill fails if
 * PostgreSQL never stops for lack of space.
 */
async function fillAgainAndAgain(
  place: TestBed,
  disk: string,
  what: string,
  spend?: () => Promise<void>,
): Promise<Verdict> {
  const filler = path.join(disk, 'filler')
  const load = startLoad(place)
  const downtimes: number[] = []
  let ends = 0
  for (let fill = 0; fill < fills; fill++) {
    await load.untilService()
    await sleep(roomSeconds * 1000)
    for (const until = Date.now() + fullSeconds * 1000; Date.now() < until; await sleep(100)) {
      fillUp(filler)
      await spend?.()
    }
    rmSync(filler)
    // Without space for the write-ahead log, PostgreSQL stops. The drill restarts PostgreSQL, as a supervisor would.
    if (!place.postgresRuns()) {
      ends++
      await place.restartPostgres()
    }
    downtimes.push(await load.untilService())
  }
  const done = `${what} full ${fills} times for ${fullSeconds} s, PostgreSQL ended ${ends} times`
  const outcome = await judge(place, await load.stop(), done, downtimes)
  const isMissed = spend !== undefined && ends === 0
  return isMissed ? { ...outcome, wrong: [...outcome.wrong, 'PostgreSQL never ran out of room'] } : outcome
}

const nothing = () => undefined

function fillUp(filler: string): void {
  for (let size = block.length; size >= 512; ) {
    try {
      appendFileSync(filler, block.subarray(0, size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      size /= 2
    }
  }
}
