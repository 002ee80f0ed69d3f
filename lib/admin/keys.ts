import { addDuration, parseTypedDuration } from '../kernel/calendar.ts'
import { isKeyScope, keyScopes } from '../kernel/key-scope.ts'
import { toWire } from '../kernel/moment.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import { ruleProblem } from '../kernel/rule-problem.ts'
import type { StoredApiKey } from '../modules/accounts/key-store.ts'
import {
  type Announce,
  createKey,
  type IssuedKey,
  listKeys,
  renameKey,
  revokeKey,
  rotateKey,
  whatIsAudited,
} from '../modules/accounts/operations.ts'
import type { KeysPage } from '../modules/accounts/page.ts'
import { mostOfKeyName } from '../modules/accounts/rules/name.ts'
import { announceAccess } from '../modules/operators/announce.ts'
import { issuableScopes, mayIssue } from '../modules/operators/rules/access.ts'
import { realNow } from '../platform/clock/clock.ts'
import type { RequestContext } from '../platform/jobs/transact.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once, refused } from './act.ts'
import { exportOf } from './export.ts'
import { formState, leave, type Next } from './form-state.ts'

export async function keysPage(
  place: StorefrontPath,
  form: string | null,
  cookies: string | null,
): Promise<KeysPage | null> {
  const access = await accessTo(place, 'keys', cookies)
  if (!access) return null
  const { testmode, storefrontId } = access.tenant
  const keys = (await listKeys(storefrontId)).filter((key) => key.testmode === testmode)
  const { typed, problems, secret = null } = formState(access, form, cookies)
  const scopes = issuableScopes(access.role)
  const page = {
    keys: keys.map((key) => ({ ...keyRow(key), mayReplace: scopes.includes(key.scope) })),
    issued: secret,
    typed,
    scopes,
    expiresIn: typed.expiresIn ?? '',
    problems,
    formKey: newFormKey(),
  }
  return { ...page, isOnHold: access.storefront.heldAt !== null, needsCode: !testmode, ...exportOf(access, 'keys') }
}

function keyRow({ id, hint, name, scope, createdAt, lastUsedAt, expiresAt, revokedAt }: StoredApiKey) {
  const isOver = revokedAt !== null || (expiresAt !== null && expiresAt <= realNow())
  const moment = (at: Date | null) => at && toWire(at)
  return {
    id,
    hint,
    name,
    scope,
    isOver,
    createdAt: toWire(createdAt),
    lastUsedAt: moment(lastUsedAt),
    expiresAt: moment(expiresAt),
    revokedAt: moment(revokedAt),
  }
}

export async function submitKeys(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'keys', values.get('intent'), cookies)
  if (!access) return null
  const page = `${access.path}/keys`
  const keyId = values.get('id') ?? ''
  const ended = { keyId, of: access.tenant }
  switch (values.get('intent')) {
    case 'issue': {
      const scope = values.get('scope') ?? ''
      if (!isKeyScope(scope))
        return refused(
          access,
          { page, values },
          invalid('scope', ruleProblem('listed', { values: keyScopes.join(', ') })),
        )
      if (!mayIssue(access.role, scope)) return refused(access, { page, values }, new Refusal('scope_beyond_role'))
      const expiresIn = (values.get('expiresIn') ?? '').trim().slice(0, 100)
      const expiresInMs = expiresIn === '' ? undefined : millisecondsOf(expiresIn)
      if (expiresInMs === null) return refused(access, { page, values }, invalid('expiresIn', invalidDuration))
      const name = nameIn(values)
      const request = { ...access.tenant, scope, name, ...(expiresInMs !== undefined && { expiresInMs }) }
      return issue(access, values, { action: 'key.create', subject: access.storefront.id }, (call) =>
        createKey(request, call, announced(access, 'key.create', 'keyIssued')),
      )
    }
    case 'rotate':
      return issue(access, values, { action: 'key.rotate', subject: keyId }, (call) =>
        rotateKey({
          ...ended,
          mayIssue: (scope) => mayIssue(access.role, scope),
          call,
          announce: announced(access, 'key.rotate', 'keyRotated'),
        }),
      )
    case 'rename':
      return rename(access, page, keyId, values)
    case 'revoke': {
      const entry = { action: 'key.revoke' as const, subject: keyId, path: page, content: ['revoke', keyId] }
      const refusal = await once(access, values, entry, (call) => revokeKey({ ...ended, call }))
      return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=revoked` }
    }
    default:
      return { redirectTo: page }
  }
}

/** The entered name. A very long name is cut 20 characters above the limit, so that the later check still refuses the name. */
const nameIn = (values: URLSearchParams) => (values.get('name') ?? '').slice(0, mostOfKeyName + 20)

async function rename(access: Access, page: string, keyId: string, values: URLSearchParams): Promise<Next> {
  const name = nameIn(values)
  const entry = {
    action: 'key.rename' as const,
    subject: keyId,
    path: page,
    content: ['rename', keyId, name],
  }
  const refusal = await once(access, values, entry, (call) => renameKey({ keyId, of: access.tenant, call }, name))
  return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=renamed` }
}

const announced =
  ({ actor }: Access, action: 'key.create' | 'key.rotate', of: 'keyIssued' | 'keyRotated'): Announce =>
  (tx, { hint, scope }) =>
    announceAccess(tx, { action, actor, change: { of, hint, scope }, page: '/keys' })

const invalidDuration = ruleProblem('duration', { hours: 12 })

function millisecondsOf(typed: string): number | null {
  const duration = parseTypedDuration(typed)
  const now = realNow()
  const end = duration && addDuration(now, duration)
  return end && end > now ? end.getTime() - now.getTime() : null
}

/** Issues or rotates a key. If the form is sent again, it issues no second key, and the page does not show the secret of the first key. */
async function issue(
  access: Access,
  values: URLSearchParams,
  entry: { action: 'key.create' | 'key.rotate'; subject: string },
  work: (call: RequestContext) => Promise<IssuedKey>,
): Promise<Next> {
  const page = `${access.path}/keys`
  let issued: IssuedKey | null = null
  const asked = {
    ...entry,
    path: page,
    content: [entry.action, entry.subject],
    after: whatIsAudited,
  }
  const refusal = await once(access, values, asked, async (call) => {
    issued = await work(call)
    return issued
  })
  if (refusal) return refused(access, { page, values }, refusal)
  const { key = null } = (issued as IssuedKey | null) ?? {}
  return key === null
    ? { redirectTo: `${page}?done=issued` }
    : leave(access, `${page}?done=issued`, { typed: {}, problems: {}, secret: key })
}
