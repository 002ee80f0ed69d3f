import { readdirSync } from 'node:fs'
import path from 'node:path'
import { readDump, restoreDump } from '../scripts/upgrade/dump.ts'
import { commandOn, environmentOf, readAll } from '../scripts/upgrade/reads.ts'
import { anEmptyDatabase, killAll, start, stopAll } from './own-service.ts'
import { expect, test } from './test.ts'

const folder = 'scripts/upgrade/releases'
const files = readdirSync(folder).filter((name) => name.endsWith('.json.br'))

test.afterEach(killAll)

test('the repository contains a database dump of version 0.1.0', () => {
  expect(files).toContain('0.1.0.json.br')
})

for (const file of files)
  test(`one year of data from version ${file.replace('.json.br', '')} is unchanged after the migrations`, async () => {
    const dump = readDump(path.join(folder, file))
    const databaseUrl = await anEmptyDatabase(`upgrade_${dump.version.replaceAll('.', '_')}_${process.pid}`)
    await restoreDump(databaseUrl, dump)
    const baseUrl = await start('web', environmentOf(databaseUrl, dump))
    expect(await (await fetch(`${baseUrl}/readyz`)).json()).toMatchObject({ ready: true, migrations: 'ok' })
    // Newer versions may add fields, but must not change recorded values.
    expect(await readAll(baseUrl, databaseUrl, dump)).toMatchObject(dump.reads)
    expect((dump.reads.orders as unknown[]).length).toBeGreaterThan(100)
    const checked = commandOn(databaseUrl, dump, 'invariants') as { status: string }[]
    expect(checked.length).toBeGreaterThan(20)
    expect(checked.filter(({ status }) => status !== 'ok')).toEqual([])
    const rebuilt = commandOn(databaseUrl, dump, 'figures', 'rebuild', '--storefront', dump.storefrontId)
    expect(rebuilt).toEqual([])
    await stopAll()
  })
