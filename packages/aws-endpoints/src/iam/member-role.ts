/** AWS Organizations creates this role in each member account; the management account assumes it. */
export const memberRole = 'OrganizationAccountAccessRole';
