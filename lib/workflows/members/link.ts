export const invitationPath = (token: string): string => `/admin/invitation/${token}`
