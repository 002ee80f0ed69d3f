// @ts-check
// `npm run licenses` lists the packages of a running service with versions and licenses, for the release.
// A test refuses a license that is unknown or incompatible with AGPL-3.0-only.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './environment.mjs'

/** Licenses that permit distribution with a program under AGPL-3.0-only. */
const compatible = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0', // data, not code
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later', // linked at run time
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1', // fonts
  'Unlicense',
]

/** Packages whose license is stated only in a license file, not in package.json. */
const stated = /** @type {Record<string, string>} */ ({ 'png-js': 'MIT' })
/**
 * The licenses of packages with one build per platform, by the name of the build. package-lock.json states no license
 * for the builds of some platforms.
 */
const families = /** @type {[RegExp, string][]} */ ([
  [/^@next\/swc-/, 'MIT'],
  [/^@swc\/core-/, 'Apache-2.0 AND MIT'],
])

/** @typedef {{ name: string, version: string, license: string | null }} Dependency */

/**
 * @param {{ packages: Record<string, { version?: string, license?: string, dev?: boolean, devOptional?: boolean, link?:
 * boolean }> }} lock the content of package-lock.json
 * @returns {Dependency[]} sorted by name; `license` is null if the package states none
 */
export function productionDependencies(lock) {
  const found = Object.entries(lock.packages).flatMap(([place, { version = '', license, dev, devOptional, link }]) => {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (!place.includes('node_modules/') || dev || devOptional || link) return []
    const known = license ?? stated[name] ?? families.find(([pattern]) => pattern.test(name))?.[1] ?? null
    return [{ name, version, license: known }]
  })
  const byId = new Map(found.map((each) => [`${each.name}@${each.version}`, each]))
  return [...byId.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** At least one alternative in an SPDX expression must be compatible. @param {string | null} expression */
export function isCompatible(expression) {
  const alternatives = (expression ?? '').replaceAll(/[()]/g, '').split(/ or /i)
  return alternatives.some((each) => each.split(/ and /i).every((license) => compatible.includes(license.trim())))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  for (const { name, version, license } of productionDependencies(lock)) console.log(`${name} ${version} ${license}`)
}
