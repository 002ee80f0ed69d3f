import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/**
 * Creates the folder if it is missing. Otherwise, deletes the pictures in the folder whose names contain `wanted`, and
 * the contact sheets next to the folder. All other pictures stay, because `npm run screenshots` may take only some
 * pictures again.
 */
export function prepareFolder(folder: string, wanted = ''): void {
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(folder))
    if (path.parse(file).name.includes(wanted)) rmSync(path.join(folder, file), { recursive: true })
  const { dir, base } = path.parse(folder)
  for (const file of readdirSync(dir))
    if (file.startsWith(base) && /^-\d+\.png$/.test(file.slice(base.length))) rmSync(path.join(dir, file))
}
