import { beforeEach, describe, expect, test } from 'vitest'
import { type KeyScope, keyScopes } from '../kernel/key-scope.ts'
import { createKey, listKeys } from '../modules/accounts/operations.ts'
import { auditLog } from '../modules/audit/operations.ts'
import { type Role, roles } from '../modules/operators/rules/access.ts'
import { db } from '../platform/db/db.ts'
import { allRows } from '../testing/all-rows.ts'
import { aMember, anOperator, freshCode } from '../testing/operator.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import * as admin from './pages.ts'

let shop: Shop
let number = 0
beforeEach(async () => {
  shop = await aShop()
  number++
})

type Person = Awaited<ReturnType<typeof aMember>>
const aPerson = async (role: Role | 'staff'): Promise<Person> => {
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  const address = `${role}${number}@example.com`
  return role === 'staff' ? anOperator(address) : aMember(address, merchant_id, role)
}

const at = (mode: string) => ({ mode, storefrontId: shop.storefrontId })
const submit = async (person: Person, mode: string, fields: Record<string, string>) => {
  const code = mode === 'live' ? { code: await freshCode(person.operatorId) } : {}
  const sent = new URLSearchParams({ key: crypto.randomUUID(), ...fields, ...code })
  const next = await admin.submitKeys(at(mode), sent, person.cookies)
  return next && new URL(next.redirectTo, 'http://localhost').searchParams
}
const issue = (person: Person, mode: string, scope: string) => submit(person, mode, { intent: 'issue', scope })
const aKey = (mode: string, scope: KeyScope) =>
  createKey({ storefrontId: shop.storefrontId, testmode: mode === 'test', scope })
const newest = async () => (await listKeys(shop.storefrontId))[0]

const mayIssue: Readonly<Record<Role | 'staff', readonly KeyScope[]>> = {
  staff: ['full', 'no_refunds', 'read_only'],
  owner: ['full', 'no_refunds', 'read_only'],
  developer: ['no_refunds', 'read_only'],
  support: [],
  accountant: [],
}

describe.each(['test', 'live'])('the role of a member limits the API keys of %s mode', (mode) => {
  test.each(['staff', ...roles] as const)(
    'the role %s may issue and replace exactly the keys whose scope its permissions include',
    async (role) => {
      const person = await aPerson(role)
      for (const [scope, action] of keyScopes.flatMap((scope) => [
        [scope, 'key.create'] as const,
        [scope, 'key.rotate'] as const,
      ])) {
        const { keyId: id } = await aKey(mode, scope)
        const before = await allRows()
        const query = await (action === 'key.create'
          ? issue(person, mode, scope)
          : submit(person, mode, { intent: 'rotate', id }))
        if (mayIssue[role].includes(scope)) {
          expect(query?.get('done')).toBe('issued')
          const key = await newest()
          expect(key).toMatchObject({ scope, revokedAt: null })
          expect(await auditLog(null, 1)).toMatchObject([{ action, after: { keyId: key?.id, scope } }])
          continue
        }
        // A role that may not issue keys cannot open the page of the keys, so no refusal is reported.
        expect(query?.get('failed')).toBe(mayIssue[role].length > 0 ? 'scope_beyond_role' : undefined)
        const { operator_sessions: _, operators: __, sign_in_failures: ___, ...unchanged } = before
        expect(await allRows()).toMatchObject(unchanged)
      }
    },
  )
})

test('a developer sees which keys exceed the developer’s permissions, and may revoke these keys', async () => {
  const developer = await aPerson('developer')
  const [full, narrow] = [await aKey('test', 'full'), await aKey('test', 'no_refunds')]
  const page = await admin.keysPage(at('test'), null, developer.cookies)
  expect(page?.scopes).toEqual(['no_refunds', 'read_only'])
  expect(page?.keys).toMatchObject([
    { id: narrow.keyId, scope: 'no_refunds', mayReplace: true },
    { id: full.keyId, scope: 'full', mayReplace: false },
    { scope: 'full', mayReplace: false },
  ])
  expect((await submit(developer, 'test', { intent: 'revoke', id: full.keyId }))?.get('done')).toBe('revoked')
  expect(await auditLog(null, 1)).toMatchObject([{ action: 'key.revoke', subject: full.keyId }])
})

test('the admin area does not issue a key with an unknown scope', async () => {
  const owner = await aPerson('owner')
  const before = await listKeys(shop.storefrontId)
  for (const scope of ['', 'FULL', 'constructor', 'refunds']) {
    const form = (await issue(owner, 'test', scope))?.get('form') ?? ''
    expect(form, scope).not.toBe('')
    expect(await listKeys(shop.storefrontId)).toEqual(before)
  }
})

test('a rotated key keeps its scope even if the form contains another scope', async () => {
  const owner = await aPerson('owner')
  const old = await aKey('test', 'read_only')
  const query = await submit(owner, 'test', { intent: 'rotate', id: old.keyId, scope: 'full' })
  expect([query?.get('done'), (await newest())?.scope]).toEqual(['issued', 'read_only'])
})
