import { readFileSync, rmSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { profileOn } from './profile.ts'

it('a signal records a profile with file mode 600, and signals during the recording are ignored', async () => {
  const outcomes: Parameters<Parameters<typeof profileOn>[2]>[0][] = []
  const stop = profileOn('SIGUSR2', 50, (outcome) => outcomes.push(outcome))
  for (let n = 0; n < 3; n++) process.emit('SIGUSR2')
  await expect.poll(() => outcomes).toEqual([{ file: expect.stringMatching(/\.cpuprofile$/) }])
  const [outcome] = outcomes
  if (!outcome || !('file' in outcome)) throw new Error('there is no profile')
  expect(statSync(outcome.file).mode & 0o777).toBe(0o600)
  expect(Object.keys(JSON.parse(readFileSync(outcome.file, 'utf8')))).toEqual(
    expect.arrayContaining(['nodes', 'samples', 'timeDeltas']),
  )
  rmSync(outcome.file)
  stop()
  expect(process.listenerCount('SIGUSR2')).toBe(0)
})
