import { expect, test } from 'vitest';
import { aTestAccount } from '@nodewright/testkit/worlds';

const form = (action: string, version: string) => ({
  method: 'POST',
  path: '/',
  headers: {},
  body: Buffer.from(`Action=${action}&Version=${version}`),
});
const json = (target: string, input: object) => ({
  method: 'POST',
  path: '/',
  headers: { 'x-amz-target': target },
  body: Buffer.from(JSON.stringify(input)),
});
const requests = {
  autoscaling: form('DescribeAutoScalingGroups', '2011-01-01'),
  ec2: form('DescribeInstances', '2016-11-15'),
  eks: { method: 'GET', path: '/clusters', headers: {}, body: new Uint8Array() },
  'eks-auth': {
    method: 'POST',
    path: '/clusters/my-cluster/assume-role-for-pod-identity',
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=AKIA/20240128/us-east-1/eks-auth/aws4_request' },
    body: Buffer.from('{"token":"t"}'),
  },
  events: json('AWSEvents.ListRules', {}),
  fis: { method: 'GET', path: '/experiments', headers: {}, body: new Uint8Array() },
  iam: form('GetInstanceProfile', '2010-05-08'),
  pricing: json('AWSPriceListService.GetProducts', { ServiceCode: 'AmazonEC2' }),
  servicequotas: json('ServiceQuotasV20190624.ListServices', {}),
  sqs: json('AmazonSQS.ListQueues', {}),
  ssm: json('AmazonSSM.GetParameters', { Names: [] }),
  sts: form('GetCallerIdentity', '2011-06-15'),
} as const;

for (const { service, throttling, accessDenied } of [
  { service: 'autoscaling', throttling: ['Throttling', 400], accessDenied: ['AccessDenied', 403] },
  { service: 'ec2', throttling: ['RequestLimitExceeded', 503], accessDenied: ['UnauthorizedOperation', 403] },
  { service: 'eks', throttling: ['ThrottlingException', 429], accessDenied: ['AccessDeniedException', 403] },
  { service: 'eks-auth', throttling: ['ThrottlingException', 429], accessDenied: ['AccessDeniedException', 400] },
  { service: 'events', throttling: ['ThrottlingException', 400], accessDenied: ['AccessDeniedException', 403] },
  { service: 'fis', throttling: ['ThrottlingException', 429], accessDenied: ['AccessDeniedException', 403] },
  { service: 'iam', throttling: ['Throttling', 400], accessDenied: ['AccessDenied', 403] },
  { service: 'pricing', throttling: ['ThrottlingException', 400], accessDenied: ['AccessDeniedException', 400] },
  { service: 'servicequotas', throttling: ['ThrottlingException', 400], accessDenied: ['AccessDeniedException', 403] },
  { service: 'sqs', throttling: ['RequestThrottled', 403], accessDenied: ['AccessDeniedException', 403] },
  { service: 'ssm', throttling: ['ThrottlingException', 400], accessDenied: ['AccessDeniedException', 400] },
  { service: 'sts', throttling: ['Throttling', 400], accessDenied: ['AccessDenied', 403] },
] as const) {
  test(`${service} refuses throttled and unauthorized calls with its own codes`, async () => {
    const { aws } = aTestAccount();
    const outcomes = [];
    for (const kind of ['throttle', 'deny'] as const) {
      const { id } = aws.faults.add({ kind, service });
      const { status } = await aws.handle(requests[service], new AbortController().signal);
      const outcome = aws.calls().at(-1)?.outcome;
      outcomes.push([outcome?.kind === 'refused' ? outcome.code : outcome, status]);
      aws.faults.clear(id);
    }
    expect(outcomes).toEqual([throttling, accessDenied]);
  });
}
