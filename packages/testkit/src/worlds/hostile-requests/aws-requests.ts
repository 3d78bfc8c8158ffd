import * as fc from 'fast-check';
import { awsWords, hostileLeaf, hostileText, valueOf, type HostileRequest } from './hostile-texts.ts';

const queryVersions = [
  [
    '2016-11-15',
    [
      'DescribeInstances',
      'DescribeImages',
      'CreateFleet',
      'CreateTags',
      'CreateLaunchTemplate',
      'DescribeInstanceTypes',
      'RunInstances',
      'TerminateInstances',
      'DescribeSubnets',
    ],
  ],
  ['2011-01-01', ['DescribeAutoScalingGroups', 'SetDesiredCapacity', 'StartInstanceRefresh']],
  ['2010-05-08', ['GetInstanceProfile', 'CreateInstanceProfile', 'GetRole']],
  ['2011-06-15', ['GetCallerIdentity', 'AssumeRole']],
] as const;
export const formRequest: fc.Arbitrary<HostileRequest> = fc
  .constantFrom(...queryVersions.flatMap(([version, actions]) => actions.map((action) => ({ version, action }))))
  .chain(({ version, action }) =>
    fc
      .array(
        fc.tuple(
          fc.array(fc.oneof(fc.constantFrom(...awsWords, '1', '2', '999999999'), hostileText), {
            minLength: 1,
            maxLength: 5,
          }),
          hostileText,
        ),
        { maxLength: 6 },
      )
      .map((pairs) => ({
        method: 'POST',
        path: '/',
        headers: {},
        body: `Action=${action}&Version=${version}&${pairs.map(([steps, value]) => `${steps.join('.')}=${value}`).join('&')}`,
      })),
  );
const targets = [
  'AmazonSSM.GetParameter',
  'AmazonSSM.GetParameters',
  'AmazonSSM.GetParametersByPath',
  'AWSPriceListService.GetProducts',
  'AmazonSQS.ReceiveMessage',
  'AmazonSQS.GetQueueUrl',
  'AmazonSQS.SendMessage',
  'AmazonSQS.DeleteMessage',
  'AWSEvents.PutRule',
  'AWSEvents.PutTargets',
  'ServiceQuotasV20190624.GetServiceQuota',
  'AmazonSSM.constructor',
  'AmazonSSM',
];
export const jsonRequest: fc.Arbitrary<HostileRequest> = fc
  .record({ target: fc.constantFrom(...targets), value: valueOf(awsWords), text: fc.option(hostileText) })
  .map(({ target, value, text }) => ({
    method: 'POST',
    path: '/',
    headers: { 'x-amz-target': target },
    body: text ?? JSON.stringify(value),
  }));
export const restRequest: fc.Arbitrary<HostileRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    steps: fc.array(
      fc.oneof(
        fc.constantFrom('my-cluster', 'node-groups', 'updates', 'update-config', 'update-version', 'addons'),
        hostileText,
      ),
      { maxLength: 5 },
    ),
    value: valueOf(awsWords),
  })
  .map(({ method, steps, value }) => ({
    method,
    path: `/clusters/${steps.join('/')}?${steps.join('=')}`,
    headers: {},
    body: JSON.stringify(value),
  }));

export const controlRequest: fc.Arbitrary<HostileRequest> = fc
  .record({
    operation: fc.constantFrom(
      'GET /clock',
      'GET /calls',
      'GET /releases',
      'POST /releases',
      'GET /faults',
      'POST /faults',
      'DELETE /faults',
      'GET //',
      'GET ?',
    ),
    query: fc.array(fc.tuple(fc.constantFrom('since', 'id', 'kubernetesVersion', 'family', 'from'), hostileText), {
      maxLength: 2,
    }),
    value: fc.oneof(
      valueOf(awsWords),
      fc.record({
        kind: fc.constantFrom('throttle', 'outage', 'refuse', 'delay', 'publish', 'add'),
        service: hostileText,
        times: hostileLeaf,
      }),
    ),
    text: fc.option(hostileText),
  })
  .map(({ operation, query, value, text }) => {
    const [method = '', path = ''] = operation.split(' ');
    const body = method === 'GET' ? '' : (text ?? JSON.stringify(value));
    return { method, path: `${path}?${query.map((pair) => pair.join('=')).join('&')}`, headers: {}, body };
  });
