import { AwsError } from '../codec/aws-error.ts';

/** Auto Scaling's refusals. What its model does not list comes as a ValidationError. */
export const autoScalingValidationError = (message: string): AwsError => new AwsError('ValidationError', message);

export const noSuchAutoScalingGroup = (name: string): AwsError =>
  autoScalingValidationError(`AutoScalingGroup name not found - ${name}`);

export const groupExists = (name: string): AwsError =>
  new AwsError(
    'AlreadyExists',
    `AutoScalingGroup by this name already exists - A group with the name ${name} already exists`,
  );

export const autoScalingGroupInUse = (name: string): AwsError =>
  new AwsError(
    'ResourceInUse',
    `You cannot delete an AutoScalingGroup while there are instances still in the group ${name}. Use force delete.`,
  );

export const noSuchInstance = (id: string): AwsError =>
  autoScalingValidationError(`Instance Id not found - No managed instance found for instance ID: ${id}`);

export const noActiveAction = (instanceId: string): AwsError =>
  autoScalingValidationError(`No active Lifecycle Action found with instance ID ${instanceId}`);

export const unreachableTarget = (target: string, role: string | undefined): AwsError =>
  autoScalingValidationError(
    `Unable to publish test message to notification target ${target} using IAM role ${role ?? 'null'}. Please check your target and role configuration and try to put lifecycle hook again.`,
  );

export const tooManyHooks = (name: string): AwsError =>
  new AwsError('LimitExceeded', `The group ${name} has 50 lifecycle hooks, no more are allowed.`);

export const autoScalingBadToken = (token: string): AwsError =>
  new AwsError('InvalidNextToken', `The token '${token}' is not valid.`);

export const refreshRunning = (): AwsError =>
  new AwsError(
    'InstanceRefreshInProgress',
    'An Instance Refresh is already in progress and blocks the execution of this Instance Refresh.',
  );

export const noRefreshRunning = (): AwsError =>
  new AwsError(
    'ActiveInstanceRefreshNotFound',
    'No in progress or pending Instance Refresh found for Auto Scaling group.',
  );

export const irreversibleRefreshError = (why: string): AwsError =>
  new AwsError('IrreversibleInstanceRefresh', `The instance refresh cannot be rolled back: ${why}.`);
