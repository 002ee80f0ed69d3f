import { standIn } from './program.ts'

const { code, out, error } = await standIn(process.argv.slice(2))
process.stdout.write(out)
process.stderr.write(error)
if (code !== null) process.exit(code)
