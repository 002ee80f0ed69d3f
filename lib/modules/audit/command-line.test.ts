import { userInfo } from 'node:os'
import { expect, it, vi } from 'vitest'
import { commandLine } from './command-line.ts'

vi.mock('node:os', { spy: true })

it('an audit entry of a command names the user of the operating system', () => {
  expect(commandLine()).toEqual({ kind: 'cli', id: userInfo().username, address: null })
})

it('an audit entry of a command has the user id if the user has no name, as in a container', () => {
  vi.mocked(userInfo).mockImplementationOnce(() => {
    throw new Error('uv_os_get_passwd returned ENOENT (no such file or directory)')
  })
  expect(commandLine().id).toBe(`uid ${process.getuid?.()}`)
})
