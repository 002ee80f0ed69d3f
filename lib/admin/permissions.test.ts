import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AdminAction, adminActions } from '../modules/operators/rules/admin-actions.ts'
import { neededForAction, neededForForm, neededForList, neededForPage, permissions } from './permissions.ts'

const root = path.join(import.meta.dirname, '../..')
const area = path.join(root, 'app/(admin)/admin')
const files = readdirSync(area, { recursive: true, encoding: 'utf8' })

/** The URL path of a page or form below `/admin`, without route groups and without `/submit`. */
const pathOf = (file: string) =>
  path
    .dirname(file)
    .replace(/^\.$/, '')
    .replace(/^\(signed-in\)(?:\/\(service\))?(?:\/|$)/, '')
    .replace(/(?:^|\/)submit$/, '')

const ofStorefront = (section: string) => ['[mode]/[storefrontId]', section].filter((part) => part !== '').join('/')
const table: [string, { page?: unknown; actions?: Readonly<Record<string, unknown>> }][] = [
  ...Object.entries(permissions.service),
  ...Object.entries(permissions.storefront).map(([section, entry]) => [ofStorefront(section), entry] as const),
].map(([at, entry]) => [at, entry])

const text = (file: string) => readFileSync(path.join(area, file), 'utf8')
const routes = files.filter((file) => path.basename(file) === 'route.ts')
const isForm = (file: string) => /\bPOST\b/.test(text(file))
const pagesOnDisk = [
  ...files.filter((file) => path.basename(file) === 'page.tsx'),
  ...routes.filter((file) => !isForm(file)),
].map(pathOf)
const formsOnDisk = routes.filter(isForm).map(pathOf)

const unique = (paths: readonly string[]) => [...new Set(paths)].sort()

describe('the table of permissions', () => {
  it('the table of permissions has exactly one entry for each page of the admin area', () => {
    const pages = table.flatMap(([at, { page }]) => (page === undefined ? [] : [at]))
    expect(unique(pages)).toEqual(unique(pagesOnDisk))
    expect(pages.length).toBeGreaterThan(40)
  })

  it('the table of permissions has exactly one entry for each form and each download of the admin area', () => {
    const forms = table.flatMap(([at, { actions }]) => (actions === undefined ? [] : [at]))
    expect(unique(forms)).toEqual(unique(formsOnDisk))
    expect(forms.length).toBeGreaterThan(35)
  })

  it('the table of permissions has exactly one entry for each action, at the path of the form that sends the action', () => {
    const listed = table.flatMap(([at, { actions = {} }]) => Object.keys(actions).map((action) => `${action} at ${at}`))
    const known = (Object.keys(adminActions) as AdminAction[]).map(
      (action) => `${action} at ${adminActions[action].form}`,
    )
    expect(listed.sort()).toEqual(known.sort())
  })

  it('the code of each page and form checks the permission of its own entry in the table', () => {
    const code = readdirSync(import.meta.dirname)
      .filter((file) => file.endsWith('.ts') && !/^permissions|\.test\.ts$/.test(file))
      .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
      .join('\n')
    const isAsked = (ask: string, at: string) =>
      new RegExp(`${ask}\\((?:\\w+, )?'${at.replace(/[[\]]/g, '\\$&')}'`).test(code)
    const unasked = [
      ...Object.entries(permissions.storefront).flatMap(([at, entry]) => [
        ...('page' in entry && !isAsked('accessTo', at) ? [`page ${at}`] : []),
        ...('actions' in entry && !isAsked('(?:accessToForm|exporterOf)', at) ? [`form ${at}`] : []),
      ]),
      ...Object.entries(permissions.service).flatMap(([at, entry]) => {
        const needed = 'page' in entry ? entry.page : Object.values(entry.actions)[0]
        return needed === 'staff' && !isAsked('staffOn', at) ? [`staff ${at}`] : []
      }),
    ]
    // The export form is an exception: `accessToList` checks the permission of the export together with the permission of the list.
    expect(unasked).toEqual(['form export/[section]'])
  })

  it('permissions are named only in the table of permissions and checked only in access.ts', () => {
    const own = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    const strays = own.filter((file) => {
      const source = readFileSync(path.join(import.meta.dirname, file), 'utf8')
      return /\b(?:personOf|staffOf)\b|\bmay\(|import (?:type )?\{[^}]*\bPermission\b/.test(source)
    })
    expect(strays).toEqual(['access.ts', 'permissions.ts'])
  })
})

describe('the required permission', () => {
  it.each([
    ['orders/[id]', 'refund', ['refunds.create']],
    ['orders/[id]', 'undo-change', ['subscriptions.change']],
    ['endpoints/[id]', 'delete', ['endpoints.change']],
    ['endpoints/[id]', 'resend', ['endpoints.change', 'deliveries.resend']],
    ['clock', null, ['clock.advance']],
    ['export/statements/[month]', null, ['sales.export', 'balance.read']],
  ] as const)('the form %s with the button %s requires the permissions %j', (form, intent, needed) => {
    expect(neededForForm(form, intent)).toEqual(needed)
  })

  it('submitting a form with an unknown button requires the permissions of all actions of the form', () => {
    expect(new Set(neededForForm('orders/[id]', 'unknown'))).toEqual(
      new Set(['refunds.create', 'subscriptions.change', 'emails.resend']),
    )
  })

  it('a page, an action, and an exported list require the permission of their entry in the table', () => {
    expect(neededForPage('balance')).toEqual(['balance.read'])
    expect(neededForAction('endpoint.resend_failed')).toEqual(['endpoints.change', 'deliveries.resend'])
    expect(neededForAction('chargeback.accepted')).toEqual(['chargebacks.decide'])
    expect(neededForList('keys')).toEqual(['sales.read', 'keys.change'])
  })
})
