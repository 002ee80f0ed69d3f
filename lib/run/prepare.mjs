// @ts-check
// What `npm start` and `npm test` do first, with nothing but Node: no import may need an installed package, and this file
// none that an old Node lacks.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Billhook needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
import('./sentence.mjs').then(({ command }) => command(async () => (await import('./install.mjs')).install()))
