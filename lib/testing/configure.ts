import { config, readConfig } from '../platform/config.ts'

/**
 * The environment at the start of the process. Test files share a process, so `lib/testing/own-database.ts` resets the
 * variables that an earlier test file changed.
 */

const before = { ...process.env }

export function configure(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  // Changes the existing configuration object instead of replacing it, because other code holds a reference to this
  // object.
  Object.assign(config(), readConfig(process.env))
}

/** Resets the configuration to the environment at the start of the process, and then sets `variables`. */
export function configureAnew(variables: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  configure({ ...before, ...variables })
}
