export type BillingDetails = Readonly<
  Record<
    | 'fullName'
    | 'companyName'
    | 'taxId'
    | 'streetAndNumber'
    | 'streetAdditional'
    | 'city'
    | 'region'
    | 'postalCode'
    | 'country',
    string | null
  >
>

/** The names that lists show for a buyer. The email address is absent where only billing details are known. All values are null after an erasure. */
export type BuyerNames = Pick<BillingDetails, 'companyName' | 'fullName'> & { readonly email?: string | null }
