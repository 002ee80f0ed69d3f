/**
 * Who may import whom: arrows go down, never up. `npm run check` holds the code against it; lib/run/house.test.ts plants
 * a violation of each rule to see that it bites.
 */
const noun =
  '(?:billing|catalog|chargebacks|checkouts|corrections|customers|invariants|invoices|ledger|mails|orders|payments|people|recovery|refunds|subscriptions|tax|testmode|webhooks)'
const test = '\\.test\\.tsx?$'
const inTests = ['^lib/testing/', test, '^e2e/']

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
      to: { pathNot: ['^lib/kernel/', 'node_modules/(?:temporal-polyfill|tr46)/'] },
    },
    {
      name: 'rules-import-rules-and-kernel',
      comment: 'A rule knows no clock, no database and no network. The page values of a noun are types and tables.',
      severity: 'error',
      from: { path: `^lib/${noun}/rules/`, pathNot: test },
      to: { pathNot: ['^lib/kernel/', `^lib/${noun}/rules/`, `^lib/${noun}/page\\.ts$`] },
    },
    {
      name: 'platform-has-no-business',
      severity: 'error',
      from: { path: '^lib/platform/', pathNot: test },
      to: { path: [`^lib/${noun}/`, '^app/', '^components/', '^lib/run/'] },
    },
    {
      name: 'contracts-import-shapes',
      severity: 'error',
      from: { path: `^lib/${noun}/contract\\.ts$` },
      to: {
        pathNot: [
          '^lib/kernel/',
          '^lib/platform/(?:endpoint|events|paging|shapes)\\.ts$',
          `^lib/${noun}/(?:contract\\.ts$|rules/)`,
          'node_modules/zod/',
        ],
      },
    },
    {
      name: 'stores-know-rows-only',
      comment: 'A store translates rows; it calls no operation and no resource.',
      severity: 'error',
      from: { path: `^lib/${noun}/(?:sandbox/)?store\\.ts$` },
      to: {
        pathNot: [
          '^lib/kernel/',
          '^lib/platform/',
          `^lib/${noun}/(?:rules/|rows\\.ts$|page\\.ts$|provider\\.ts$)`,
          '^prisma/client/',
        ],
      },
    },
    {
      name: 'prisma-in-stores-only',
      severity: 'error',
      from: { pathNot: [`^lib/${noun}/(?:sandbox/)?store\\.ts$`, '^lib/platform/', '^prisma/', ...inTests] },
      to: { path: '^prisma/client/' },
    },
    {
      name: 'transactions-do-not-nest',
      comment:
        "An operation is a transaction: it uses another noun's rules, stores and resources, never its operations.",
      severity: 'error',
      from: { path: `^lib/(${noun})/operations\\.ts$` },
      to: { path: `^lib/${noun}/(?:operations|hosted|close|hear-news|deliver)\\.ts$`, pathNot: '^lib/$1/' },
    },
    {
      name: 'app-uses-doors',
      comment: 'Routes and pages enter through contracts, operations, page operations and platform/route.',
      severity: 'error',
      from: { path: '^app/', pathNot: test },
      to: { path: `^lib/${noun}/`, pathNot: `^lib/${noun}/(?:contract|operations|hosted|page)\\.ts$` },
    },
    {
      name: 'components-are-given-everything',
      severity: 'error',
      from: { path: '^components/', pathNot: test },
      to: {
        path: '^lib/',
        pathNot: ['^lib/kernel/', `^lib/${noun}/(?:contract|page)\\.ts$`, '^lib/platform/i18n\\.ts$'],
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
