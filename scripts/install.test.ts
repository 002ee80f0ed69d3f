import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** npm may write a lock file without the packages of other platforms. On those platforms, `npm ci` refuses such a lock file. */
it('the lock file contains the packages of every platform', () => {
  const { packages }: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )
  const holds = (from: string, name: string): boolean =>
    `${from && `${from}/`}node_modules/${name}` in packages ||
    (from !== '' && holds(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name))
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !holds(from, name)),
  )
  expect(missing).toEqual([])
})
