import os from 'node:os'
import { expect, it } from 'vitest'
import { withoutAccess } from './user-facing-error.mjs'

const denied = (code: string, path?: string) => Object.assign(new Error('permission denied'), { code, path })

it.each(['EACCES', 'EPERM'])('a file error with the code %s becomes a sentence with the file and the user', (code) => {
  const shown = withoutAccess(denied(code, '/srv/billhook/app/node_modules/.billhook-install')) as Error
  expect(shown.name).toBe('UserFacingError')
  expect(shown.message).toContain(
    `The user ${os.userInfo().username} has no access to /srv/billhook/app/node_modules/.billhook-install (${code}).`,
  )
})

it.each([
  ['with the code ENOENT', denied('ENOENT', '/srv/billhook/app/.env')],
  ['about a port', denied('EACCES')],
  ['without a code', new Error('a bug')],
])('only an access error for a file is replaced: an error %s is unchanged', (_, error) => {
  expect(withoutAccess(error)).toBe(error)
})
