const { defineConfig } = require('@medusajs/framework/utils')

/** The defaults of Medusa, without the admin pages, which would need a build. */
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { pool: { max: Number(process.env.DATABASE_POOL) } },
    http: { jwtSecret: 'bench', cookieSecret: 'bench', storeCors: '', adminCors: '', authCors: '' },
  },
})
