import type { Parameter, ParameterHistory, ParameterMetadata, ParameterType } from '@aws-sdk/client-ssm';
import { arnOf, iamArnOf, type AwsAccount } from '../account.ts';
import type { FoundParameter } from './look-up.ts';
import type { OwnParameter } from './own-parameters.ts';

type ParameterWriteOptions = { readonly account: AwsAccount; readonly isDecrypted: boolean };

export function writeParameter(
  { parameter, selector }: FoundParameter,
  { account, isDecrypted }: ParameterWriteOptions,
): Parameter {
  const { name, version, modifiedAt } = parameter;
  const isOwn = 'type' in parameter;
  return {
    Name: name,
    Type: isOwn ? (parameter.type as ParameterType) : 'String',
    Value: isOwn ? writeValue(parameter, isDecrypted) : parameter.value,
    Version: version,
    ...(selector !== undefined && { Selector: selector }),
    LastModifiedDate: new Date(modifiedAt),
    ARN: writeParameterArn(name, { ...account, id: isOwn ? account.id : '' }),
    DataType: isOwn ? parameter.dataType : name.endsWith('/image_id') ? 'aws:ec2:image' : 'text',
  };
}

export const writeMetadata = (parameter: OwnParameter, account: AwsAccount): ParameterMetadata => ({
  ...writeDetails(parameter, account),
  ARN: writeParameterArn(parameter.name, account),
});

export const writeVersion = (
  parameter: OwnParameter,
  { account, isDecrypted }: ParameterWriteOptions,
): ParameterHistory => ({
  ...writeDetails(parameter, account),
  Value: writeValue(parameter, isDecrypted),
  Labels: [...(parameter.labels ?? [])],
});

function writeDetails(parameter: OwnParameter, account: AwsAccount) {
  const { name, type, version, modifiedAt, dataType, description, keyId, allowedPattern, isAdvanced } = parameter;
  return {
    Name: name,
    Type: type as ParameterType,
    ...(keyId !== undefined && { KeyId: keyId }),
    LastModifiedDate: new Date(modifiedAt),
    LastModifiedUser: iamArnOf(account, 'user/sandbox-admin'),
    ...(description !== undefined && { Description: description }),
    ...(allowedPattern !== undefined && { AllowedPattern: allowedPattern }),
    Version: version,
    Tier: isAdvanced === true ? ('Advanced' as const) : ('Standard' as const),
    Policies: [],
    DataType: dataType,
  };
}

/** A SecureString that is not decrypted is an unreadable text: the shape of what KMS makes. */
const writeValue = ({ type, value, keyId, version }: OwnParameter, isDecrypted: boolean): string =>
  type !== 'SecureString' || isDecrypted
    ? value
    : `AQICAH${Buffer.from(`${keyId}:${version}:${Buffer.byteLength(value)}`).toString('base64')}`;

const writeParameterArn = (name: string, account: AwsAccount): string =>
  arnOf(account, 'ssm', `parameter${name.startsWith('/') ? name : `/${name}`}`);
