import { expect, it } from 'vitest'
import { cachedLogos, type LogoFile } from './load-logo.ts'

function logosOf({ most, missing = [] }: { most?: number; missing?: readonly string[] } = {}) {
  const loaded: string[] = []
  const logo = cachedLogos(async (name): Promise<LogoFile | null> => {
    loaded.push(name)
    if (name === 'broken' && loaded.length === 1) throw new Error('away')
    return missing.includes(name) ? null : { hash: name, type: 'image/png', bytes: new Uint8Array([1]) }
  }, most)
  return { logo, loaded }
}

it('concurrent requests for a logo share one load, and later requests use the cache', async () => {
  const { logo, loaded } = logosOf()
  const files = await Promise.all(Array.from({ length: 50 }, () => logo('a')))
  expect(files.map((file) => file?.hash)).toEqual(Array(50).fill('a'))
  await logo('a')
  expect(loaded).toEqual(['a'])
})

it('the cache of logos drops the logo that was not requested for the longest time', async () => {
  const { logo, loaded } = logosOf({ most: 2 })
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await logo(name)
  expect(loaded).toEqual(['a', 'b', 'c', 'b'])
})

it('if a load throws before it returns a promise, the next request loads the logo again', async () => {
  let calls = 0
  const logo = cachedLogos(() => {
    calls++
    throw new Error('away')
  })
  for (const _ of [1, 2]) await expect(logo('a')).rejects.toThrow('away')
  expect(calls).toBe(2)
})

it('failed loads and unknown logos are not cached, and they remove no logo from the cache', async () => {
  const { logo, loaded } = logosOf({ most: 1, missing: ['unknown'] })
  await expect(logo('broken')).rejects.toThrow('away')
  for (const name of ['broken', 'unknown', 'unknown', 'broken']) await logo(name)
  expect(loaded).toEqual(['broken', 'broken', 'unknown', 'unknown'])
})
