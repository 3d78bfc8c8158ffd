/** Reasons of the condition `WaitingForApproval`: which request is waited for. */
export const approvalNeeded = 'ApprovalNeeded';
export const soakSkipNeeded = 'SoakSkipNeeded';
