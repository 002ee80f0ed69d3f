import { expect, it, vi } from 'vitest'
import { sealAddress, unsealAddress } from './sealed-address.ts'

vi.mock('../../platform/config.ts', () => ({
  config: () => ({ secretKey: 'a secret, long enough for us all', secretKeyPrevious: [] }),
}))

it('the encrypted address of a task can be decrypted only with the id of this task', () => {
  const sealed = sealAddress('jan@example.com', 'task_1')
  expect(Buffer.from(sealed, 'base64').includes('jan')).toBe(false)
  expect(unsealAddress(sealed, 'task_1')).toBe('jan@example.com')
  expect(() => unsealAddress(sealed, 'task_2')).toThrow()
})
