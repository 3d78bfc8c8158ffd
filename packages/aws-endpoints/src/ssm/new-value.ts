import type { PutParameterRequest } from '@aws-sdk/client-ssm';
import { AwsError } from '../codec/aws-error.ts';

const mostCharacters = { standard: 4096, advanced: 8192 };
const dataTypes = ['text', 'aws:ec2:image', 'aws:ssm:integration'];

const ssmValueError = (message: string): AwsError => new AwsError('ValidationException', message);

/** Checks what is to be written. @throws AwsError */
export function checkNewValue(input: PutParameterRequest): void {
  const { Value: value = '', DataType: dataType = 'text', AllowedPattern: pattern = '' } = input;
  checkLength(value, input.Tier);
  if (!dataTypes.includes(dataType))
    throw ssmValueError(`The following data type is not supported: ${dataType} (Data type names are all lowercase.)`);
  if (dataType === 'aws:ec2:image' && !/^ami-[0-9a-f]{8,17}$/.test(value))
    throw ssmValueError(`The value ${value} is no id of an image, which the data type aws:ec2:image demands.`);
  if (input.Overwrite === true && (input.Tags ?? []).length > 0)
    throw ssmValueError(
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
    throw ssmValueError(
      "1 validation error detected: Value '' at 'value' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  const isStandard = tier === 'Standard' || tier === undefined;
  if (isStandard && value.length > mostCharacters.standard)
    throw ssmValueError(
      `Standard tier parameters support a maximum parameter value of ${mostCharacters.standard} characters. To create a larger parameter value, upgrade the parameter to use the advanced-parameter tier. For more information, see https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-advanced-parameters.html`,
    );
  if (value.length > mostCharacters.advanced)
    throw ssmValueError(
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
