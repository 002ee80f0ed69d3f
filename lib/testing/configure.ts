import { config, readConfig } from '../platform/config.ts'

/**
 * The configuration of a test: its files share their process, so that what one sets must not reach the next one
 * (`lib/testing/own-database.ts`).
 */

/** As this process began. */
const before = { ...process.env }

/** Sets variables of the environment, and the configuration by them. Of a variable that is undefined, nothing is left. */
export function configure(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  // The same object: some keep it, and `config()` reads once.
  Object.assign(config(), readConfig(process.env))
}

/** As if the process began: its own environment and these variables. */
export function configureAnew(variables: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  configure({ ...before, ...variables })
}
