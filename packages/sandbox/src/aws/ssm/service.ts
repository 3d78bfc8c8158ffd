import {
  GetParameter$,
  GetParameters$,
  GetParametersByPath$,
  type GetParameterRequest,
  type GetParameterResult,
  type GetParametersByPathRequest,
  type GetParametersByPathResult,
  type GetParametersRequest,
  type GetParametersResult,
  type Parameter,
} from '@aws-sdk/client-ssm';
import type { Clock } from '@nodewright/runtime';
import { AwsError } from '../codec/aws-error.ts';
import { jsonProtocol } from '../codec/json-protocol.ts';
import { pageOf } from '../paging.ts';
import { operation, type Service } from '../service.ts';
import type { PublicParameters } from './parameters.ts';
import type { PublicParameter } from './release-parameters.ts';

type Deps = { readonly clock: Clock; readonly parameters: PublicParameters; readonly region: string };

/** The Parameter Store, as far as public image parameters go. */
export const ssmService = (deps: Deps): Service => ({
  name: 'ssm',
  protocol: jsonProtocol({ version: '1.1' }),
  operations: [
    operation(GetParameter$, (input: GetParameterRequest) => getParameter(deps, input)),
    operation(GetParameters$, (input: GetParametersRequest) => getParameters(deps, input)),
    operation(GetParametersByPath$, (input: GetParametersByPathRequest) => getParametersByPath(deps, input)),
  ],
});

function getParameter(deps: Deps, { Name: name = '' }: GetParameterRequest): GetParameterResult {
  const found = lookUp(deps, name);
  if (found === undefined) throw new AwsError('ParameterNotFound', '');
  return { Parameter: found };
}

function getParameters(deps: Deps, { Names: names = [] }: GetParametersRequest): GetParametersResult {
  const found = names.map((name) => ({ name, parameter: lookUp(deps, name) }));
  return {
    Parameters: found.flatMap(({ parameter }) => parameter ?? []),
    InvalidParameters: found.filter(({ parameter }) => parameter === undefined).map(({ name }) => name),
  };
}

function getParametersByPath(deps: Deps, input: GetParametersByPathRequest): GetParametersByPathResult {
  const { Path: path = '', Recursive: recursive = false } = input;
  if (!path.startsWith('/')) {
    throw new AwsError('ValidationException', `The parameter path must begin with a slash: ${path}`);
  }
  const below = deps.parameters.below(path, { recursive, now: deps.clock.now() });
  const { items, next } = pageOf(below, { size: input.MaxResults ?? 10, token: input.NextToken, refuse: badToken });
  return { Parameters: items.map((parameter) => onTheWire(deps, parameter)), ...(next && { NextToken: next }) };
}

const badToken = (): AwsError => new AwsError('InvalidNextToken', 'The specified token is not valid.');

/** A name may ask for one version after a colon: only the current one of a public parameter can be had. */
function lookUp(deps: Deps, asked: string): Parameter | undefined {
  const [name = '', version] = asked.split(':');
  const found = deps.parameters.get(name, deps.clock.now());
  if (found === undefined || (version !== undefined && Number(version) !== found.version)) return undefined;
  return onTheWire(deps, found);
}

const onTheWire = ({ region }: Deps, parameter: PublicParameter): Parameter => ({
  Name: parameter.name,
  Type: 'String',
  Value: parameter.value,
  Version: parameter.version,
  LastModifiedDate: new Date(parameter.modifiedAt),
  ARN: `arn:aws:ssm:${region}::parameter${parameter.name}`,
  DataType: parameter.name.endsWith('/image_id') ? 'aws:ec2:image' : 'text',
});
