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
