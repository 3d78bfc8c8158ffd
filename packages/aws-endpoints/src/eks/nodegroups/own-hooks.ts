import { arnOf, type AwsAccount } from '../../account.ts';
import type { LifecycleHook } from '../../autoscaling/group/group.ts';

/** The hooks by which EKS learns of instances that come and go. */
export const launchHook = 'Launch-LC-Hook';
export const terminateHook = 'Terminate-LC-Hook';

export const isOwnHook = (name: string): boolean => name === launchHook || name === terminateHook;

/** The hooks of every managed group, whose messages go to an account of EKS. */
export function listOwnHooks(account: AwsAccount): readonly LifecycleHook[] {
  const rest = {
    heartbeatSeconds: 1800,
    defaultResult: 'CONTINUE',
    notificationTarget: arnOf({ ...account, id: '602401143452' }, 'sns', 'eks-asg-lifecycle-hook-topic'),
  } as const;
  return [
    { name: launchHook, transition: 'autoscaling:EC2_INSTANCE_LAUNCHING', ...rest },
    { name: terminateHook, transition: 'autoscaling:EC2_INSTANCE_TERMINATING', ...rest },
  ];
}
