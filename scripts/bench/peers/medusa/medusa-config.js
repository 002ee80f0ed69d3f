const { defineConfig } = require('@medusajs/framework/utils')

/** Medusa's defaults, beside what every installation has to say; without its admin pages, which have to be built. */
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { pool: { max: Number(process.env.DATABASE_POOL) } },
    http: { jwtSecret: 'bench', cookieSecret: 'bench', storeCors: '', adminCors: '', authCors: '' },
  },
})
