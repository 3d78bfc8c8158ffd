import { deployments, instant, leases, type Pod, pods, services } from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import type { Operator } from '@nodewright/operator';
import { type ByteConnection, seededRandom, virtualTime } from '@nodewright/runtime';
import { createSandbox } from '@nodewright/sandbox';
import { expect, test } from 'vitest';
import type { ControllerSettings } from '../../controller/setting-table.ts';
import { givenEnvironment, initialEnvironment } from './environment.ts';
import { installOperator } from './install.ts';
import { operatorServiceAccounts } from './manifests.ts';
import { OperatorPods } from './operator-pods.ts';

const at = { namespace: 'kube-system', name: 'karpenter' };

/** A sandbox with the Deployment, and operators that only remember with which settings they ran. */
async function aSandboxWithItsOperator() {
  const time = virtualTime(instant(Date.parse('2024-01-28T16:00:00Z')));
  const random = seededRandom(1);
  const sandbox = await createSandbox({
    ...time,
    random: random.fork('world'),
    clusterName: 'sandbox',
    kubernetesVersion: '1.28',
    region: 'us-east-1',
    zones: ['us-east-1a'],
    releases: builtInReleases(),
    way: 'direct',
  });
  await time.finish(sandbox.start());
  const { admin: client } = sandbox;
  const runs: { readonly settings: ControllerSettings; isRunning: boolean }[] = [];
  const start = (run: { readonly settings: ControllerSettings }): Operator => {
    const started = { settings: run.settings, isRunning: true };
    runs.push(started);
    const stop = (): Promise<void> => {
      started.isRunning = false;
      return Promise.resolve();
    };
    return { ready: Promise.resolve(), stop };
  };
  const { clock } = time;
  const install = (given: Readonly<Record<string, string>> = {}) =>
    time.finish(
      installOperator(client, at, {
        initial: initialEnvironment('sandbox'),
        given: givenEnvironment({}, given),
        roleArn: 'arn:aws:iam::111122223333:role/controller',
      }),
    );
  await install();
  const operator = new OperatorPods({ clock, leaseClock: clock, client, random: random.fork('operator'), start }, at);
  await time.finish(operator.start());
  const setVariable = (name: string, value: string) => {
    const patch = { spec: { template: { spec: { containers: [{ name: 'controller', env: [{ name, value }] }] } } } };
    return time.finish(client.patch(deployments, at, { type: 'strategic', patch }));
  };
  return {
    client,
    time,
    runs,
    operator,
    install,
    setVariable,
    after: (seconds: number) => time.run(instant(time.clock.now() + seconds * 1000)),
    shown: async (): Promise<readonly Pod[]> => {
      const { items } = await time.finish(client.list(pods, { namespace: 'kube-system' }));
      return items.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'karpenter');
    },
    holder: async () => {
      const key = { namespace: 'kube-system', name: 'karpenter-leader-election' };
      return (await time.finish(client.get(leases, key)))?.spec?.holderIdentity?.split('_')[0];
    },
    stop: async () => {
      await time.finish(operator.stop());
      sandbox.stop();
    },
  };
}

test('the operator runs with the settings of its Deployment, and holds its Lease', async () => {
  const { runs, shown, holder, client, time, after, stop } = await aSandboxWithItsOperator();
  const [pod] = await shown();
  expect(pod?.status?.phase).toBe('Running');
  const account = await time.finish(client.get(operatorServiceAccounts, at));
  expect(account?.metadata.annotations).toMatchObject({
    'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/controller',
  });
  expect(await holder()).toBe(pod?.metadata.name);
  expect(runs.map(({ settings }) => settings.clusterName)).toEqual(['sandbox']);
  await after(5);
  expect((await time.finish(client.get(deployments, at)))?.status?.readyReplicas).toBe(1);
  expect((await time.finish(client.get(services, at)))?.spec?.selector).toEqual(
    pod?.metadata.labels && {
      'app.kubernetes.io/instance': 'karpenter',
      'app.kubernetes.io/name': 'karpenter',
    },
  );
  await stop();
});

test('another environment starts the operator anew with it', async () => {
  const { runs, setVariable, after, holder, shown, stop } = await aSandboxWithItsOperator();
  await setVariable('BATCH_IDLE_DURATION', '5s');
  await after(60);
  expect(runs.map(({ settings, isRunning }) => [settings.batchIdleDuration, isRunning])).toEqual([
    [1_000, false],
    [5_000, true],
  ]);
  const [pod, ...others] = await shown();
  expect(others).toEqual([]);
  expect(await holder()).toBe(pod?.metadata.name);
  await stop();
});

test('settings that cannot be read crash their pod', async () => {
  const { runs, setVariable, after, shown, stop } = await aSandboxWithItsOperator();
  await setVariable('PREFERENCE_POLICY', 'Sometimes');
  await after(60);
  expect(runs.filter(({ isRunning }) => isRunning)).toEqual([]);
  const crashed = (await shown()).flatMap(({ status }) => status?.containerStatuses ?? []);
  expect(crashed).toMatchObject([{ ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } }]);
  await setVariable('PREFERENCE_POLICY', 'Ignore');
  await after(60);
  expect(runs.at(-1)).toMatchObject({ settings: { preferencePolicy: 'Ignore' }, isRunning: true });
  await stop();
});

test('without replicas no operator runs; a deleted pod is followed by another', async () => {
  const { runs, client, time, after, shown, stop } = await aSandboxWithItsOperator();
  const [first] = await shown();
  await time.finish(client.delete(pods, { namespace: 'kube-system', name: first?.metadata.name ?? '' }));
  await after(60);
  expect(runs.map(({ isRunning }) => isRunning)).toEqual([false, true]);
  await time.finish(client.patch(deployments, at, { type: 'merge', patch: { spec: { replicas: 0 } } }));
  await after(60);
  expect(runs.map(({ isRunning }) => isRunning)).toEqual([false, false]);
  await stop();
});

test('pods of a Deployment that somebody else made run here, too, and wait for no node', async () => {
  const { runs, client, time, after, shown, stop } = await aSandboxWithItsOperator();
  await time.finish(
    client.patch(deployments, at, {
      type: 'merge',
      patch: { spec: { template: { spec: { schedulerName: 'default-scheduler' } }, replicas: 2 } },
    }),
  );
  await after(120);
  const found = await shown();
  expect(found.map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
  expect(runs.filter(({ isRunning }) => isRunning)).toHaveLength(1);
  await stop();
});

test('what is given at a later start is in the environment, and nothing else changes', async () => {
  const { runs, install, after, stop } = await aSandboxWithItsOperator();
  await install();
  await after(30);
  expect(runs).toHaveLength(1);
  await install({ FEATURE_GATES: 'NodeRepair=true' });
  await after(60);
  expect(runs.at(-1)?.settings.featureGates.get('NodeRepair')).toBe(true);
  expect(runs.at(-1)?.settings.clusterName).toBe('sandbox');
  await stop();
});

test('the metrics of the operator are behind the port of its pod', async () => {
  const { operator, shown, stop } = await aSandboxWithItsOperator();
  const [pod] = await shown();
  const object = {
    ...pod,
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { ...pod?.metadata, name: pod?.metadata.name ?? '' },
  };
  let answer = '';
  await new Promise<void>((resolve) => {
    const connection: ByteConnection = {
      incoming: (async function* () {
        yield await Promise.resolve(Buffer.from('GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'));
        await new Promise<void>((closed) => (connection.end = () => closed(resolve())));
      })(),
      send: (bytes) => (answer += Buffer.from(bytes).toString()),
      end: resolve,
    };
    operator.listener(object, 8080)?.(connection);
  });
  expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
  expect(answer).toContain('karpenter_build_info');
  expect(operator.listener(object, 9999)).toBeUndefined();
  await stop();
});
