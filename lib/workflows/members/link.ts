/** The page behind the link of an invitation. */
export const invitationPath = (token: string): string => `/admin/invitation/${token}`
