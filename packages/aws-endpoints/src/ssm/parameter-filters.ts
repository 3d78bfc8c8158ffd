import type { ParameterStringFilter } from '@aws-sdk/client-ssm';
import { readOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import type { OwnParameter } from './own-parameters.ts';
import { ssmValidationError } from './parameter-errors.ts';
import type { ParameterTags } from './parameter-tags.ts';
import { isBelow } from './parameters.ts';

/** A filter of DescribeParameters or GetParametersByPath as it was sent. */
export type SentParameterFilter = Pick<ParameterStringFilter, 'Option' | 'Values'> & {
  readonly Key: string | undefined;
};

const allowedValues: Readonly<Record<string, readonly string[]>> = {
  Tier: ['Standard', 'Advanced', 'Intelligent-Tiering'],
  Type: ['String', 'StringList', 'SecureString'],
};

/** @throws AwsError for filters that the operation does not have, twice the same, and values that no parameter has */
export function checkParameterFilters(filters: readonly SentParameterFilter[], keys: readonly string[]): void {
  for (const [at, { Key: key = '', Option: option = defaultOption(key), Values: values = [] }] of filters.entries()) {
    if (!keys.includes(key) && !key.startsWith('tag:'))
      throw new AwsError(
        'InvalidFilterKey',
        `The following filter key is not valid: ${key}. Valid filter keys include: [${keys.join(', ')}].`,
      );
    if (values.length === 0 && !key.startsWith('tag:'))
      throw new AwsError('InvalidFilterValue', `The following filter values are missing : null for filter key ${key}.`);
    if (filters.findIndex((each) => each.Key === key) !== at)
      throw new AwsError(
        'InvalidFilterKey',
        `The following filter is duplicated in the request: ${key}. A request can contain only one occurrence of a specific filter.`,
      );
    checkOption(key, option);
    checkFilterValues(key, values);
  }
}

const defaultOption = (key: string): string => (key === 'Path' ? 'OneLevel' : 'Equals');

function checkOption(key: string, option: string): void {
  const told = key === 'Path' ? ['Recursive', 'OneLevel'] : ['BeginsWith', 'Equals'];
  if (told.includes(option) || (key === 'Name' && option === 'Contains')) return;
  throw new AwsError(
    'InvalidFilterOption',
    `The following filter option is not valid: ${option}. Valid options include: [${told.join(', ')}].`,
  );
}

function checkFilterValues(key: string, values: readonly string[]): void {
  const allowed = readOwn(allowedValues, key);
  const unknown = values.find((value) => allowed !== undefined && !allowed.includes(value));
  if (unknown !== undefined)
    throw new AwsError(
      'InvalidFilterOption',
      `The following filter value is not valid: ${unknown}. Valid values include: [${allowed?.join(', ')}].`,
    );
  if (key !== 'Path') return;
  if (values.some((value) => /^\/(aws|ssm)/i.test(value)))
    throw ssmValidationError(
      'Filters for common parameters can\'t be prefixed with "aws" or "ssm" (case-insensitive). When using global parameters, please specify within a global namespace.',
    );
  if (values.some((value) => value.includes('//') || !/^\/[\w.\-/]*$/.test(value)))
    throw ssmValidationError(
      'The parameter doesn\'t meet the parameter name requirements. The parameter name must begin with a forward slash "/". It can\'t be prefixed with "aws" or "ssm" (case-insensitive). It must use only letters, numbers, or the following symbols: . (period), - (hyphen), _ (underscore). Special characters are not allowed. All sub-paths, if specified, must use the forward slash symbol "/". Valid example: /get/parameters2-/by1./path0_.',
    );
}

/** Whether a parameter is one that the filter asks for. Names are compared as if each began with a slash. */
export function passesParameterFilter(
  parameter: OwnParameter,
  { Key: key = '', Option: option = defaultOption(key), Values: values = [] }: SentParameterFilter,
  tags: ParameterTags,
): boolean {
  const name = withSlash(parameter.name);
  if (key === 'Path') return values.some((path) => isBelow(name, path, option === 'Recursive'));
  if (key === 'Name')
    return values.some((value) => isMatch(name, option === 'Contains' ? value : withSlash(value), option));
  if (key === 'Label') return values.some((value) => parameter.labels?.includes(value) ?? false);
  const actual = readFilteredValue(parameter, key, tags);
  if (actual === undefined) return false;
  return values.length === 0 || values.some((value) => isMatch(actual, value, option));
}

function isMatch(actual: string, value: string, option: string): boolean {
  if (option === 'BeginsWith') return actual.startsWith(value);
  return option === 'Contains' ? actual.includes(value) : actual === value;
}

function readFilteredValue(
  { name, type, dataType, keyId, isAdvanced }: OwnParameter,
  key: string,
  tags: ParameterTags,
): string | undefined {
  switch (key) {
    case 'Type':
      return type;
    case 'DataType':
      return dataType;
    case 'KeyId':
      return keyId;
    case 'Tier':
      return isAdvanced === true ? 'Advanced' : 'Standard';
    default:
      return readOwn(tags.of(name), key.slice('tag:'.length));
  }
}

const withSlash = (name: string): string => (name.startsWith('/') ? name : `/${name}`);
