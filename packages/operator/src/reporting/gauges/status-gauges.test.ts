import { fromTimestamp, instant, nodeClaims, pods, type Condition, type KubernetesObject } from '@nodewright/apis';
import { createMetrics, virtualTime } from '@nodewright/runtime';
import { printSeries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { statusGauges } from './status-gauges.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');

type Conditioned = KubernetesObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

function gaugesOf(...objects: readonly Conditioned[]) {
  const metrics = createMetrics();
  const list = [...objects];
  const { clock } = virtualTime(now);
  const gauges = statusGauges({ type: nodeClaims, list: () => list as never }, { metrics, clock });
  const read = async (): Promise<readonly string[]> => {
    gauges.refresh();
    return (await printSeries(metrics, 'operator_nodeclaim_')).map((line) => line.replace('operator_nodeclaim_', ''));
  };
  return { read, list, clear: gauges.clear, text: () => printSeries(metrics, 'operator_') };
}

const withConditions = (name: string, ...conditions: readonly Condition[]): Conditioned => ({
  metadata: { name },
  status: { conditions },
});
const ready: Condition = { type: 'Ready', status: 'True', lastTransitionTime: '2024-01-28T15:59:00Z' };
const owners = 'karpenter_k8s_aws_ec2nodeclass="",karpenter_sh_nodepool=""';
const labels = (name: string, status: string, reason = '', namespace = ''): string =>
  `{namespace="${namespace}",name="${name}",type="Ready",status="${status}",reason="${reason}",${owners}}`;

for (const [fact, object, ...lines] of [
  [
    'a condition, with how long it is as it is',
    withConditions('a', { ...ready, reason: 'Ready' }),
    `status_condition_count${labels('a', 'True', 'Ready')} 1`,
    `status_condition_current_status_seconds${labels('a', 'True', 'Ready')} 60`,
  ],
  [
    'a condition without a time, as a kubelet may report it',
    withConditions('a', { type: 'Ready', status: 'False' }),
    `status_condition_count${labels('a', 'False')} 1`,
  ],
  [
    'a condition of the future as one of now: clocks differ',
    withConditions('a', { ...ready, lastTransitionTime: '2024-01-28T16:00:09Z' }),
    `status_condition_count${labels('a', 'True')} 1`,
    `status_condition_current_status_seconds${labels('a', 'True')} 0`,
  ],
  [
    'an object that is going, with how long it takes so far',
    { metadata: { name: 'a', deletionTimestamp: '2024-01-28T15:58:30Z' } },
    `termination_current_time_seconds{namespace="",name="a",${owners}} 90`,
  ],
  [
    'the namespace of an object that has one',
    { ...withConditions('a', { ...ready }), metadata: { name: 'a', namespace: 'team' } },
    `status_condition_count${labels('a', 'True', '', 'team')} 1`,
    `status_condition_current_status_seconds${labels('a', 'True', '', 'team')} 60`,
  ],
  ['nothing of an object without a status', { metadata: { name: 'a' } }],
] satisfies readonly (readonly [string, Conditioned, ...(readonly string[])])[]) {
  test(`the gauges of conditions show ${fact}`, async () => {
    expect(await gaugesOf(object).read()).toEqual(lines);
  });
}

test('an object that is gone leaves nothing behind, and a cleared set nothing at all', async () => {
  const { read, list, clear, text } = gaugesOf(withConditions('a', ready), withConditions('b', ready));
  expect(await read()).toHaveLength(4);
  list.shift();
  expect((await read()).filter((line) => line.includes('name="a"'))).toEqual([]);
  clear();
  expect(await text()).toEqual([]);
});

test('each kind has metrics of its own', async () => {
  const metrics = createMetrics();
  const deps = { metrics, clock: virtualTime(instant(0)).clock };
  const list = () => [withConditions('a', { type: 'Ready', status: 'True' })] as never;
  statusGauges({ type: nodeClaims, list }, deps).refresh();
  statusGauges({ type: pods, list }, deps).refresh();
  const names = (await printSeries(metrics, 'operator_')).map((line) => line.slice(0, line.indexOf('{')));
  expect(names).toEqual(['operator_nodeclaim_status_condition_count', 'operator_pod_status_condition_count']);
});
