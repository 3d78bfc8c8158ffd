import { AwsError } from '../codec/aws-error.ts';

/** EventBridge's refusals, with its codes and in its manner. */

export const noSuchRule = (name: string): AwsError =>
  new AwsError('ResourceNotFoundException', `Rule ${name} does not exist on EventBus default.`);

export const noSuchBus = (name: string): AwsError =>
  new AwsError('ResourceNotFoundException', `Event bus ${name} does not exist.`);

export const badPattern = (reason: string): AwsError =>
  new AwsError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`);

export const eventsValidationError = (message: string): AwsError => new AwsError('ValidationException', message);

export const hasTargets = (): AwsError => eventsValidationError("Rule can't be deleted since it has targets.");

export const eventsBadToken = (): AwsError => eventsValidationError('The token is not one that this service gave out.');
