import { ServiceFailure } from '../../platform/outbound/service-failure.ts'

/** The provider does not respond, refuses our account, or has returned no clear result. A later retry can succeed. */
export class ProviderUnavailable extends ServiceFailure {
  override readonly name: string = 'ProviderUnavailable'
}
