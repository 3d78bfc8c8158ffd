import { byTextOf } from '@nodewright/apis';
import {
  DeleteParameter$,
  DescribeParameters$,
  type DescribeParametersRequest,
  type DescribeParametersResult,
  type DeleteParameterRequest,
  DeleteParameters$,
  type DeleteParametersRequest,
  type DeleteParametersResult,
  GetParameter$,
  GetParameterHistory$,
  GetParameters$,
  GetParametersByPath$,
  type GetParameterHistoryRequest,
  type GetParameterRequest,
  type GetParameterResult,
  type GetParametersByPathRequest,
  type GetParametersByPathResult,
  type GetParametersRequest,
  type GetParametersResult,
  type Parameter,
  type ParameterType,
  PutParameter$,
  type PutParameterRequest,
  type PutParameterResult,
} from '@aws-sdk/client-ssm';
import { arnOf, type AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { jsonProtocol } from '../codec/json-protocol.ts';
import { takePage } from '../paging.ts';
import { defineOperation, type AwsService } from '../service.ts';
import { lookUp, type ParameterStore } from './look-up.ts';
import type { OwnParameter } from './own-parameters.ts';
import { readParameterHistory } from './parameter-history.ts';
import { describeOwnParameters } from './describe-parameters.ts';
import { checkNewValue } from './new-value.ts';
import { isBelow } from './parameters.ts';
import type { PublicParameter } from './release-parameters.ts';
import { ssmConstraints, ssmLimits } from './input-limits.ts';

type SsmDeps = ParameterStore & { readonly account: AwsAccount };

/** The Parameter Store: public image parameters, and what the account writes. */
export const ssmService = (deps: SsmDeps): AwsService => ({
  name: 'ssm',
  protocol: jsonProtocol({ version: '1.1' }),
  commonErrors: {
    throttling: { code: 'ThrottlingException', status: 400 },
    accessDenied: { code: 'AccessDeniedException', status: 400 },
  },
  limits: ssmLimits,
  constraints: ssmConstraints,
  operations: [
    defineOperation(DeleteParameter$, (input: DeleteParameterRequest) => deleteParameter(deps, input)),
    defineOperation(DeleteParameters$, (input: DeleteParametersRequest) => deleteSsmParameters(deps, input)),
    defineOperation(DescribeParameters$, (input: DescribeParametersRequest) => describeParameters(deps, input)),
    defineOperation(PutParameter$, (input: PutParameterRequest) => putParameter(deps, input)),
    defineOperation(GetParameter$, (input: GetParameterRequest) => getParameter(deps, input)),
    defineOperation(GetParameterHistory$, (input: GetParameterHistoryRequest) => readParameterHistory(deps, input)),
    defineOperation(GetParameters$, (input: GetParametersRequest) => getParameters(deps, input)),
    defineOperation(GetParametersByPath$, (input: GetParametersByPathRequest) => getParametersByPath(deps, input)),
  ],
});

function getParameter(deps: SsmDeps, { Name: name = '' }: GetParameterRequest): GetParameterResult {
  const found = describeParameter(deps, name);
  if (found === undefined) throw new AwsError('ParameterNotFound', '');
  return { Parameter: found };
}

function getParameters(deps: SsmDeps, { Names: names = [] }: GetParametersRequest): GetParametersResult {
  const found = names.map((name) => ({ name, parameter: describeParameter(deps, name) }));
  return {
    Parameters: found.flatMap(({ parameter }) => parameter ?? []),
    InvalidParameters: found.filter(({ parameter }) => parameter === undefined).map(({ name }) => name),
  };
}

function getParametersByPath(deps: SsmDeps, input: GetParametersByPathRequest): GetParametersByPathResult {
  const { Path: path = '', Recursive: recursive = false } = input;
  if (!path.startsWith('/')) {
    throw new AwsError('ValidationException', `The parameter path must begin with a slash: ${path}`);
  }
  const below = [
    ...deps.parameters.below(path, { recursive, now: deps.clock.now() }),
    ...ownBelow(deps, path, recursive),
  ];
  const { items, next } = takePage(below, {
    size: input.MaxResults ?? 10,
    token: input.NextToken,
    refuse: ssmBadToken,
  });
  return { Parameters: items.map((parameter) => writeParameter(deps, parameter)), ...(next && { NextToken: next }) };
}

const ssmBadToken = (): AwsError => new AwsError('InvalidNextToken', 'The specified token is not valid.');

function ownBelow({ own }: SsmDeps, path: string, recursive: boolean): readonly OwnParameter[] {
  return own
    .all()
    .filter(({ name }) => isBelow(name, path, recursive))
    .toSorted(byTextOf(({ name }) => name));
}

const describeParameters = ({ own, account }: SsmDeps, input: DescribeParametersRequest): DescribeParametersResult =>
  describeOwnParameters(input, { parameters: own.all(), account, refuse: ssmBadToken });

function putParameter({ own, clock }: SsmDeps, input: PutParameterRequest): PutParameterResult {
  checkNewValue(input);
  const { Name: name = '', Value: value = '', Type: type, DataType: dataType, Overwrite: overwrite = false } = input;
  const { version } = own.put({ name, value, type, dataType, overwrite }, clock.now());
  return { Version: version, Tier: input.Tier === 'Advanced' ? 'Advanced' : 'Standard' };
}

function deleteParameter({ own }: SsmDeps, { Name: name = '' }: DeleteParameterRequest): object {
  if (!own.delete(name)) throw new AwsError('ParameterNotFound', '');
  return {};
}

function deleteSsmParameters({ own }: SsmDeps, { Names: names = [] }: DeleteParametersRequest): DeleteParametersResult {
  const deleted = new Set(names.filter((name) => own.delete(name)));
  return { DeletedParameters: [...deleted], InvalidParameters: names.filter((name) => !deleted.has(name)) };
}

/** A name, or the whole ARN, may ask for one version after a colon: only the current one can be had. */
function describeParameter(deps: SsmDeps, asked: string): Parameter | undefined {
  const found = lookUp(deps, asked);
  return found && writeParameter(deps, found);
}

function writeParameter({ account }: SsmDeps, parameter: PublicParameter | OwnParameter): Parameter {
  const { name, value, version, modifiedAt } = parameter;
  const isOwn = 'type' in parameter;
  const path = name.startsWith('/') ? name : `/${name}`;
  return {
    Name: name,
    Type: isOwn ? (parameter.type as ParameterType) : 'String',
    Value: value,
    Version: version,
    LastModifiedDate: new Date(modifiedAt),
    ARN: arnOf({ ...account, id: isOwn ? account.id : '' }, 'ssm', `parameter${path}`),
    DataType: isOwn ? parameter.dataType : name.endsWith('/image_id') ? 'aws:ec2:image' : 'text',
  };
}
