import { readOwn } from '@nodewright/apis';
import type { HttpRequest } from '@nodewright/runtime';
import { splitPath, decodeBodyText } from './codec/protocol.ts';
import type { ServiceName } from './service.ts';

const serviceNames: readonly ServiceName[] = [
  'autoscaling',
  'ec2',
  'eks',
  'eks-auth',
  'events',
  'fis',
  'iam',
  'pricing',
  'servicequotas',
  'sqs',
  'ssm',
  'sts',
];

const findServiceName = (name: string | undefined): ServiceName | undefined =>
  serviceNames.find((each) => each === name);

/** The API versions of the form protocols, for requests that carry no signature. */
const byVersion: Readonly<Record<string, ServiceName>> = {
  '2011-01-01': 'autoscaling',
  '2016-11-15': 'ec2',
  '2010-05-08': 'iam',
  '2012-11-05': 'sqs',
  '2011-06-15': 'sts',
};

const byTarget: Readonly<Record<string, ServiceName>> = {
  AWSEvents: 'events',
  AmazonSQS: 'sqs',
  AmazonSSM: 'ssm',
  AWSPriceListService: 'pricing',
  ServiceQuotasV20190624: 'servicequotas',
};

/** The first segment of paths of the REST services. */
const byFirstSegment: Readonly<Record<string, ServiceName>> = {
  'access-policies': 'eks',
  'cluster-versions': 'eks',
  addons: 'eks',
  clusters: 'eks',
  experiments: 'fis',
  experimentTemplates: 'fis',
};

/**
 * Which service a request is meant for. All share one port, so the credential scope of the
 * signature decides; then the target header, the API version of a form, and the path.
 */
export function whichService(request: HttpRequest): ServiceName | undefined {
  const scope = scopedService(request);
  if (scope !== undefined) return findServiceName(scope);
  const target = request.headers['x-amz-target']?.split('.', 1).join('');
  if (target !== undefined) return readOwn(byTarget, target);
  return readOwn(byVersion, formVersion(request)) ?? readOwn(byFirstSegment, request.path.split(/[/?]/)[1] ?? '');
}

/** `ec2` in `.../20240128/us-east-1/ec2/aws4_request`, of the header or of a presigned query. */
export function scopedService(request: HttpRequest): string | undefined {
  const header = /Credential=([^,\s]+)/.exec(request.headers['authorization'] ?? '')?.[1];
  const presigned = queryOf(request).get('X-Amz-Credential') ?? undefined;
  return (header ?? presigned)?.split('/').at(-2);
}

const queryOf = (request: HttpRequest): URLSearchParams => new URLSearchParams(splitPath(request.path).query);

/** Looked for as text: a form may be large, and is parsed once the service is known. */
const formVersion = (request: HttpRequest): string =>
  /(?:^|&)Version=([\d-]+)/.exec(
    request.method === 'GET' ? splitPath(request.path).query : decodeBodyText(request.body),
  )?.[1] ?? '';
