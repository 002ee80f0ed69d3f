import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isCompatible, productionDependencies } from './licenses.mjs'

const dependencies = productionDependencies(JSON.parse(readFileSync('package-lock.json', 'utf8')))

it('every package of a running service has a license that is compatible with AGPL-3.0-only', () => {
  expect(dependencies.length).toBeGreaterThan(200)
  expect(dependencies.filter(({ license }) => !isCompatible(license))).toEqual([])
})

it('unknown licenses, proprietary licenses, and GPL-2.0-only are refused', () => {
  expect(
    [null, '', 'UNLICENSED', 'GPL-2.0-only', 'BUSL-1.1', 'SEE LICENSE IN LICENSE.md'].filter(isCompatible),
  ).toEqual([])
})

it('in an OR of licenses, one compatible license is enough, and in an AND, every license must be compatible', () => {
  expect(isCompatible('MIT or MPL-2.0')).toBe(true)
  expect(isCompatible('(GPL-2.0-only OR MIT)')).toBe(true)
  expect(isCompatible('Apache-2.0 AND LGPL-3.0-or-later AND MIT')).toBe(true)
  expect(isCompatible('MIT AND GPL-2.0-only')).toBe(false)
})

it('the list of production packages contains optional packages, and omits packages that only builds or tests need', () => {
  const lock = {
    packages: {
      '': { version: '1.0.0' },
      'packages/sdk': { version: '1.0.0' },
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/a/node_modules/b': { version: '2.0.0', optional: true },
      'node_modules/c': { version: '3.0.0', license: 'MIT', dev: true },
      'node_modules/@billhook/sdk': { link: true },
    },
  }
  expect(productionDependencies(lock)).toEqual([
    { name: 'a', version: '1.0.0', license: 'MIT' },
    { name: 'b', version: '2.0.0', license: null },
  ])
})
