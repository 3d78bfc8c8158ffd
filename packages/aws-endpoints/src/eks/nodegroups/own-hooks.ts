/** The hooks by which EKS learns of instances that come and go. */
export const launchHook = 'Launch-LC-Hook';
export const terminateHook = 'Terminate-LC-Hook';

export const isOwnHook = (name: string): boolean => name === launchHook || name === terminateHook;
