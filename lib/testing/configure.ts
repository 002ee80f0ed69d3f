import { config, readConfig } from '../platform/config.ts'

/** Test files share a process, so `lib/testing/own-database.ts` resets what a file sets here. */

const before = { ...process.env }

/** Sets environment variables and reads the configuration again. Undefined removes a variable. */
export function configure(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  // Change the same object: some code keeps a reference, and `config()` reads the environment only once.
  Object.assign(config(), readConfig(process.env))
}

/** Resets the configuration to the environment of the process start, plus these variables. */
export function configureAnew(variables: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  configure({ ...before, ...variables })
}
