import { DefaultJobQueuePlugin, DefaultLogger, dummyPaymentHandler, LogLevel } from '@vendure/core'

export const config = {
  apiOptions: { hostname: '127.0.0.1', port: Number(process.env.PORT) },
  authOptions: { tokenMethod: 'bearer', superadminCredentials: { identifier: 'bench', password: 'bench' } },
  dbConnectionOptions: {
    type: 'postgres',
    url: process.env.DATABASE_URL,
    extra: { max: Number(process.env.DATABASE_POOL) },
  },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [DefaultJobQueuePlugin.init({})],
}
