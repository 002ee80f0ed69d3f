const { defineConfig } = require('@medusajs/framework/utils')

/**
 * Medusa's defaults, plus the settings that every installation needs. The admin pages are off, because they would need
 * a build.
 */
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { pool: { max: Number(process.env.DATABASE_POOL) } },
    http: { jwtSecret: 'bench', cookieSecret: 'bench', storeCors: '', adminCors: '', authCors: '' },
  },
})
