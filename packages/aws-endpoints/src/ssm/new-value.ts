import type { PutParameterRequest } from '@aws-sdk/client-ssm';
import { AwsError } from '../codec/aws-error.ts';
import type { OwnParameter, ParameterDetails } from './own-parameters.ts';
import { ssmValidationError } from './parameter-errors.ts';

const mostCharacters = { standard: 4096, advanced: 8192 };
const dataTypes = ['text', 'aws:ec2:image', 'aws:ssm:integration'];

/** Checks what is to be written. @throws AwsError */
export function checkNewValue(input: PutParameterRequest): void {
  const { Value: value = '', DataType: dataType = 'text', AllowedPattern: pattern = '' } = input;
  checkLength(value, input.Tier);
  if (!dataTypes.includes(dataType))
    throw ssmValidationError(
      `The following data type is not supported: ${dataType} (Data type names are all lowercase.)`,
    );
  if (dataType === 'aws:ec2:image' && !/^ami-[0-9a-f]{8,17}$/.test(value))
    throw ssmValidationError(`The value ${value} is no id of an image, which the data type aws:ec2:image demands.`);
  if (input.Overwrite === true && (input.Tags ?? []).length > 0)
    throw ssmValidationError(
      "Invalid request: tags and overwrite can't be used together. To create a parameter with tags, please remove overwrite flag. To update tags for an existing parameter, please use AddTagsToResource or RemoveTagsFromResource.",
    );
  if (pattern !== '' && !readPattern(pattern).test(value))
    throw new AwsError(
      'ParameterPatternMismatchException',
      `Parameter value, cannot be validated against allowedPattern: ${pattern}`,
    );
}

function checkLength(value: string, tier: PutParameterRequest['Tier']): void {
  if (value === '')
    throw ssmValidationError(
      "1 validation error detected: Value '' at 'value' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  const isStandard = tier === 'Standard' || tier === undefined;
  if (isStandard && value.length > mostCharacters.standard)
    throw ssmValidationError(
      `Standard tier parameters support a maximum parameter value of ${mostCharacters.standard} characters. To create a larger parameter value, upgrade the parameter to use the advanced-parameter tier. For more information, see https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-advanced-parameters.html`,
    );
  if (value.length > mostCharacters.advanced)
    throw ssmValidationError(
      `Advanced tier parameters support a maximum parameter value of ${mostCharacters.advanced} characters.`,
    );
}

function readPattern(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`);
  } catch {
    throw new AwsError(
      'InvalidAllowedPatternException',
      `The parameter allowedPattern is no regular expression: ${pattern}`,
    );
  }
}

/** The key that encrypts a SecureString unless its writer names another one. */
const usualKey = 'alias/aws/ssm';

/** What is kept of a new value beside it. @throws AwsError for what no parameter here can have */
export function readParameterDetails(input: PutParameterRequest, before: OwnParameter | undefined): ParameterDetails {
  const { Value: value = '', Type: type = before?.type, KeyId: keyId, Tier: tier } = input;
  const isSecure = type === 'SecureString';
  if (keyId !== undefined && !isSecure)
    throw ssmValidationError(
      'Parameter type and KeyId do not match. KeyId is required only for parameters that use the SecureString data type.',
    );
  if (!/^(\[\s*\])?$/.test((input.Policies ?? '').trim()))
    throw new AwsError('InvalidPolicyTypeException', 'The sandbox keeps no policies of parameters.');
  if (before?.isAdvanced === true && tier === 'Standard')
    throw ssmValidationError(
      "This parameter uses the advanced-parameter tier. You can't downgrade a parameter from the advanced-parameter tier to the standard-parameter tier. Delete it and create it again as a standard parameter.",
    );
  const isAdvanced = tier === 'Advanced' || (tier === 'Intelligent-Tiering' && value.length > mostCharacters.standard);
  return {
    ...(input.Description !== undefined && { description: input.Description }),
    ...(isSecure && { keyId: keyId ?? before?.keyId ?? usualKey }),
    ...(input.AllowedPattern !== undefined && { allowedPattern: input.AllowedPattern }),
    ...(isAdvanced && { isAdvanced }),
  };
}
