import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectls } from './support/clients.ts';
import { type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const [kubectl = ''] = kubectls();
const newest = 'ami-0fcd72f3118e0dd88';

/** One sandbox, one story: each test goes on where the one before ended. */
describe.skipIf(kubectl === '')('`nodewright nodegroup` tells success from blocked from failed', () => {
  let sandbox: RunningSandbox;
  const nodegroup = (...args: readonly string[]) => sandbox.nodewright('nodegroup', ...args);
  const patch = (kind: string, name: string, spec: object, ...where: readonly string[]) =>
    sandbox.run(kubectl, ['patch', kind, name, ...where, '--type=merge', '-p', JSON.stringify({ spec })]);
  const mustServe = (minAvailable: number) => patch('pdb', 'ui', { minAvailable }, '-n', 'ui');
  const speed = (value: string) => sandbox.nodewright('sandbox', 'clock', 'speed', value);

  beforeAll(async () => {
    sandbox = await startSandbox('--scenario', 'managed-node-group', '--speed', '600');
  });
  afterAll(async () => {
    await sandbox.stop();
  });

  test('a group that nobody keeps is listed with what it runs', async () => {
    const { stdout, status } = await nodegroup('list');
    expect(status).toBe(0);
    expect(stdout.split('\n')[1]?.split(/\s{2,}/)).toEqual([
      'default',
      'EKS',
      '-',
      'NotKept',
      '-/3',
      '1.23.14-20230919',
    ]);
  });

  test('SUP-1, SUP-11: its plan is the arithmetic, and writes nothing', async () => {
    const { stdout, status } = await nodegroup('plan', 'default', '-o', 'json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'NodeGroupPlan',
      to: '1.23.14-20231002',
      image: newest,
      surge: 6,
      peak: { desired: 9, max: 12 },
      zones: [{ surge: 2 }, { surge: 2 }, { surge: 2 }],
      podsToMove: 4,
      quotas: [{ vcpus: 12, code: 'L-1216C47A', limit: 1_000_000 }],
      obstacles: [],
    });
    expect((await sandbox.run(kubectl, ['get', 'nodegroups', '-o', 'name'])).stdout).toBe('');
  });

  for (const { args, says } of [
    { args: ['plan', 'nope'], says: 'there is no NodeGroup, managed node group or Auto Scaling group "nope"' },
    { args: ['status', 'default'], says: 'there is no NodeGroup "default"' },
    { args: ['history', 'default'], says: 'there is no NodeGroup "default"' },
    { args: ['upgrade'], says: 'argument' },
    { args: ['plan', 'default', '--kubeconfig', '/nowhere'], says: '/nowhere' },
  ]) {
    test(`wrong input ends with 2 and says why: nodegroup ${args.join(' ')}`, async () => {
      const { stderr, status } = await nodegroup(...args);
      expect(status).toBe(2);
      expect(stderr).toContain(says);
    });
  }

  test('UPG-9: a budget that never yields ends plan and upgrade with 3, and both name the pod and the budget', async () => {
    await mustServe(4);
    await sandbox.until(
      kubectl,
      ['get', 'pdb', 'ui', '-n', 'ui', '-o', 'jsonpath={.status.desiredHealthy}'],
      (answer) => answer.stdout.startsWith('4'),
    );
    const plan = await nodegroup('plan', 'default');
    expect([plan.status, plan.stdout]).toEqual([
      3,
      expect.stringMatching(/blocks +PodDisruptionBudget ui\/ui never lets pod ui\/ui-\S+ leave ip-/),
    ]);
    const upgrade = await nodegroup('upgrade', 'default', '--wait');
    expect(upgrade.status).toBe(3);
    expect(upgrade.stdout).toMatch(
      /blocked +PodDisruptionBudget ui\/ui never lets pod ui\/ui-\S+ leave ip-.* \(since 2023-/,
    );
  });

  test('a budget that yields lets it go on, and success ends with 0', async () => {
    await mustServe(3);
    const { stdout, stderr, status } = await nodegroup('upgrade', 'default', '--wait');
    expect([status, stdout]).toEqual([0, expect.stringContaining('every node is on the target')]);
    expect(stderr).toMatch(/(scaleUp|upgrade|UpToDate) +\d\/\d/);
    const history = await nodegroup('history', 'default', '-o', 'json');
    expect(JSON.parse(history.stdout)).toMatchObject({ items: [{ number: 1, outcome: 'Successful' }] });
    const after = await nodegroup('status', 'default');
    expect(after.stdout.match(new RegExp(`${newest} +new`, 'g'))).toHaveLength(3);
  });

  test('time that runs out ends with 4, and the update goes on', async () => {
    await speed('1');
    await patch('nodegroup', 'default', { image: { amiSelectorTerms: [{ alias: 'al2@v20230919' }] } });
    const { stderr, status } = await nodegroup('upgrade', 'default', '--wait', '--timeout', '2s');
    expect([status, stderr]).toEqual([4, expect.stringContaining('--timeout ran out')]);
    await speed('600');
    const phase = ['get', 'nodegroup', 'default', '-o', 'jsonpath={.status.phase} {.status.history[0].number}'];
    await sandbox.until(kubectl, phase, ({ stdout }) => stdout === 'UpToDate 2');
  });

  test('scenario 23, UPG-3: an update that EKS gave up ends with 1, though the group is active again', async () => {
    await sandbox.moveClock({ paused: true });
    await patch('nodegroup', 'default', { image: { amiSelectorTerms: [{ id: newest }] } });
    const upgrade = nodegroup('upgrade', 'default', '--wait');
    const phase = ['get', 'nodegroup', 'default', '-o', 'jsonpath={.status.update.phase}'];
    await sandbox.until(kubectl, phase, ({ stdout }) => stdout !== '', '5s');
    await mustServe(4);
    await sandbox.moveClock({ paused: false });
    const { stdout, stderr, status } = await upgrade;
    expect([status, stdout]).toEqual([1, expect.stringMatching(/phase +Failed\nreason +PodEvictionFailure: .*ip-/)]);
    expect(stderr).toContain('the update failed: PodEvictionFailure');
    const history = await nodegroup('history', 'default');
    expect(history.stdout).toMatch(/Failed .*PodEvictionFailure/);
  });
});
