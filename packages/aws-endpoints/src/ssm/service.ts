import { byTextOf } from '@nodewright/apis';
import {
  AddTagsToResource$,
  type AddTagsToResourceRequest,
  DeleteParameter$,
  DescribeParameters$,
  type DescribeParametersRequest,
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
  LabelParameterVersion$,
  type LabelParameterVersionRequest,
  ListTagsForResource$,
  type ListTagsForResourceRequest,
  PutParameter$,
  type PutParameterRequest,
  type PutParameterResult,
  RemoveTagsFromResource$,
  type RemoveTagsFromResourceRequest,
  UnlabelParameterVersion$,
  type UnlabelParameterVersionRequest,
} from '@aws-sdk/client-ssm';
import type { AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { jsonProtocol } from '../codec/json-protocol.ts';
import { takePage } from '../paging.ts';
import { defineOperation, type AwsService } from '../service.ts';
import { labelParameterVersion, unlabelParameterVersion } from './label-operations.ts';
import { findParameter, lookUp, type ParameterStore } from './look-up.ts';
import type { OwnParameter } from './own-parameters.ts';
import { readParameterHistory } from './parameter-history.ts';
import { describeParameters } from './describe-parameters.ts';
import { checkNewValue, readParameterDetails } from './new-value.ts';
import { ssmBadToken, ssmValidationError } from './parameter-errors.ts';
import { checkParameterFilters, passesParameterFilter, type SentParameterFilter } from './parameter-filters.ts';
import { writeParameter } from './parameter-on-the-wire.ts';
import { addTagsToParameter, checkParameterTags, listParameterTags, untagParameter } from './parameter-tags.ts';
import { isBelow } from './parameters.ts';
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
    defineOperation(AddTagsToResource$, (input: AddTagsToResourceRequest) => addTagsToParameter(deps, input)),
    defineOperation(LabelParameterVersion$, (input: LabelParameterVersionRequest) =>
      labelParameterVersion(deps, input),
    ),
    defineOperation(ListTagsForResource$, (input: ListTagsForResourceRequest) => listParameterTags(deps, input)),
    defineOperation(RemoveTagsFromResource$, (input: RemoveTagsFromResourceRequest) => untagParameter(deps, input)),
    defineOperation(UnlabelParameterVersion$, (input: UnlabelParameterVersionRequest) =>
      unlabelParameterVersion(deps, input),
    ),
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

function getParameter(deps: SsmDeps, input: GetParameterRequest): GetParameterResult {
  const found = lookUp(deps, input.Name ?? '');
  if (found === undefined) throw noSuchParameter();
  return { Parameter: writeParameter(found, writeOptions(deps, input)) };
}

/** A version that is not there counts as a parameter that is not there. */
function getParameters(deps: SsmDeps, input: GetParametersRequest): GetParametersResult {
  const found = [...new Set(input.Names)].map((name) => ({ name, found: findParameter(deps, name) }));
  const options = writeOptions(deps, input);
  return {
    Parameters: found.flatMap((each) => (each.found === undefined ? [] : writeParameter(each.found, options))),
    InvalidParameters: found.filter((each) => each.found === undefined).map(({ name }) => name),
  };
}

function getParametersByPath(deps: SsmDeps, input: GetParametersByPathRequest): GetParametersByPathResult {
  const { Path: path = '', Recursive: recursive = false, ParameterFilters: filters = [] } = input;
  if (!path.startsWith('/')) throw ssmValidationError(`The parameter path must begin with a slash: ${path}`);
  checkParameterFilters(filters, ['Type', 'KeyId', 'Label', 'DataType']);
  const shared = filters.length > 0 ? [] : deps.parameters.below(path, { recursive, now: deps.clock.now() });
  const below = [...shared, ...ownBelow(deps, input).filter((each) => passesAll(each, filters, deps))];
  const { items, next } = takePage(below, {
    size: input.MaxResults ?? 10,
    token: input.NextToken,
    refuse: ssmBadToken,
  });
  const options = writeOptions(deps, input);
  return {
    Parameters: items.map((parameter) => writeParameter({ parameter }, options)),
    ...(next && { NextToken: next }),
  };
}

const passesAll = (parameter: OwnParameter, filters: readonly SentParameterFilter[], { tags }: SsmDeps): boolean =>
  filters.every((filter) => passesParameterFilter(parameter, filter, tags));

/** The versions that a label is asked of, else the present ones. */
function ownBelow(
  { own }: SsmDeps,
  { Path: path = '', Recursive: recursive = false, ParameterFilters: filters = [] }: GetParametersByPathRequest,
): readonly OwnParameter[] {
  const byLabel = filters.some(({ Key }) => Key === 'Label');
  return own
    .all()
    .filter(({ name }) => isBelow(name.startsWith('/') ? name : `/${name}`, path, recursive))
    .toSorted(byTextOf(({ name }) => name))
    .flatMap((parameter) => (byLabel ? (own.history(parameter.name) ?? []) : [parameter]));
}

function putParameter({ own, tags, clock }: SsmDeps, input: PutParameterRequest): PutParameterResult {
  checkNewValue(input);
  checkParameterTags(input.Tags ?? []);
  const { Name: name = '', Value: value = '', Type: type, DataType: dataType, Overwrite: overwrite = false } = input;
  const details = readParameterDetails(input, own.get(name));
  const written = own.put({ name, value, type, dataType, overwrite, details }, clock.now());
  if (input.Tags !== undefined) tags.add(written.name, input.Tags);
  return { Version: written.version, Tier: written.isAdvanced === true ? 'Advanced' : 'Standard' };
}

function deleteParameter(deps: SsmDeps, { Name: name = '' }: DeleteParameterRequest): object {
  if (!forgetParameter(deps, name)) throw noSuchParameter();
  return {};
}

function deleteSsmParameters(deps: SsmDeps, { Names: names = [] }: DeleteParametersRequest): DeleteParametersResult {
  const deleted = new Set(names.filter((name) => forgetParameter(deps, name)));
  return { DeletedParameters: [...deleted], InvalidParameters: names.filter((name) => !deleted.has(name)) };
}

/** Whether it was there. */
function forgetParameter({ own, tags }: SsmDeps, name: string): boolean {
  const found = own.delete(name);
  if (found !== undefined) tags.forget(found.name);
  return found !== undefined;
}

const noSuchParameter = (): AwsError => new AwsError('ParameterNotFound', '');

const writeOptions = (
  { account }: SsmDeps,
  { WithDecryption: isDecrypted = false }: Pick<GetParameterRequest, 'WithDecryption'>,
) => ({ account, isDecrypted });
