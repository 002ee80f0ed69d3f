/**
 * Import rules between folders: a layer imports only lower layers. `npm run check` enforces these rules, and
 * `scripts/architecture.test.ts` proves that each rule reports a violation.
 */
const test = '\\.test\\.tsx?$'
const inTests = ['^lib/testing/', test, '^e2e/']
const noun = 'lib/modules/[^/]+'
/** Entry points for pages and forms, such as `load-checkout.ts`. */
const pageDoor = '(?:load|submit|manage)-[^/]+\\.ts'
const store = `^(?:${noun}|lib/providers/[^/]+)/store\\.ts$`

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or hide a third. Types may go round.',
      severity: 'error',
      from: { pathNot: inTests },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'kernel-imports-kernel',
      severity: 'error',
      from: { path: '^lib/kernel/', pathNot: test },
      to: { pathNot: ['^lib/kernel/', 'node_modules/(?:ibantools|jsvat-next|temporal-polyfill|tr46)/'] },
    },
    {
      name: 'platform-has-no-business',
      severity: 'error',
      from: { path: '^lib/platform/', pathNot: test },
      to: { path: ['^lib/(?:modules|providers|workflows|admin|server|cli)/', '^app/', '^components/', '^scripts/'] },
    },
    {
      name: 'rules-import-rules-and-kernel',
      comment: 'A rule knows no clock, no database and no network. The page values of a noun are types and tables.',
      severity: 'error',
      from: { path: `^${noun}/rules/`, pathNot: test },
      to: { pathNot: ['^lib/kernel/', `^${noun}/rules/`, `^${noun}/page\\.ts$`] },
    },
    {
      name: 'contracts-import-shapes',
      severity: 'error',
      from: { path: `^${noun}/contract\\.ts$` },
      to: {
        pathNot: [
          '^lib/kernel/',
          '^lib/platform/http/(?:endpoint|paging|shapes)\\.ts$',
          '^lib/modules/events/event-types\\.ts$',
          `^${noun}/(?:contract\\.ts$|rules/)`,
          'node_modules/zod/',
        ],
      },
    },
    {
      name: 'prisma-in-stores-only',
      severity: 'error',
      from: { pathNot: [store, '^lib/platform/', '^prisma/', ...inTests] },
      to: { path: '^prisma/client/' },
    },
    {
      name: 'modules-look-down',
      comment: 'What touches several nouns is a workflow.',
      severity: 'error',
      from: { path: '^lib/modules/', pathNot: test },
      to: { path: '^lib/(?:providers|workflows|admin|server|cli)/' },
    },
    {
      name: 'providers-look-down',
      severity: 'error',
      from: { path: '^lib/providers/', pathNot: test },
      to: { path: '^lib/(?:workflows|admin|server|cli)/' },
    },
    {
      name: 'providers-through-the-registry',
      comment: 'Only the registry knows a provider by its name.',
      severity: 'error',
      from: { pathNot: ['^lib/providers/', ...inTests] },
      to: { path: '^lib/providers/[^/]+(?:/|$)', pathNot: '^lib/providers/index\\.ts$' },
    },
    {
      name: 'workflows-look-down',
      severity: 'error',
      from: { path: '^lib/workflows/', pathNot: test },
      to: { path: '^lib/(?:admin|server|cli)/' },
    },
    {
      name: 'admin-looks-down',
      comment: 'The admin area is a surface, as the command line is: it calls operations.',
      severity: 'error',
      from: { path: '^lib/admin/', pathNot: test },
      to: { path: ['^lib/(?:server|cli)/', '^app/', '^components/', '^scripts/'] },
    },
    {
      name: 'admin-serves-its-pages-alone',
      comment: 'What a process or a command needs too belongs to a workflow.',
      severity: 'error',
      from: { pathNot: ['^lib/admin/', '^app/\\(admin\\)/', ...inTests] },
      to: { path: '^lib/admin/' },
    },
    {
      name: 'operations-do-not-use-pages',
      severity: 'error',
      from: { path: '^lib/((?:modules|workflows)/[^/]+)/operations\\.ts$' },
      to: { path: `^lib/(?:modules|workflows)/[^/]+/${pageDoor}$`, pathNot: '^lib/$1/' },
    },
    {
      name: 'app-uses-doors',
      comment: 'Routes and pages enter through contracts, operations, page operations and the platform.',
      severity: 'error',
      from: { path: '^app/', pathNot: test },
      to: {
        path: '^lib/(?:modules|providers|workflows|cli)/',
        pathNot: `^lib/(?:modules|workflows)/[^/]+/(?:(?:preview-)?contract\\.ts|operations\\.ts|page\\.ts|${pageDoor})$`,
      },
    },
    {
      name: 'components-are-given-everything',
      severity: 'error',
      from: { path: '^components/', pathNot: test },
      to: {
        path: '^lib/',
        pathNot: ['^lib/kernel/', `^${noun}/(?:contract|page)\\.ts$`, '^lib/platform/i18n\\.ts$'],
      },
    },
    {
      name: 'test-helpers-in-tests-only',
      severity: 'error',
      from: { pathNot: inTests },
      to: { path: '^lib/testing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^\\.next/', '^prisma/client/internal'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'] },
  },
}
