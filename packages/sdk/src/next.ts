/** A route handler of Next.js: `export const POST = receiveWebhooks({ secret, onEvent })`. */
export { type ReceiverOptions, receiveWebhooks } from './web.ts'
