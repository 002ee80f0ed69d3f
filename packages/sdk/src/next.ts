/** A Next.js route handler: `export const POST = receiveWebhooks({ secret, onEvent })`. */
export { type ReceiverOptions, receiveWebhooks } from './web.ts'
