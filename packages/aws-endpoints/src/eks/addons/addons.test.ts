import { minutes } from '@nodewright/apis';
import { aTestAccount, never } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const clusterName = 'my-cluster';
const roleArn = 'arn:aws:iam::111122223333:role/addon';

function world() {
  const account = aTestAccount();
  const call = async (operation: string, input: object): Promise<Answer> => {
    const answer = await account.aws.answer(
      { service: 'eks', operation, input: { clusterName, ...input } },
      { signal: never, serving: { wait: (work) => work() } },
    );
    if (answer.kind === 'refused') throw new Error(`${answer.code}: ${answer.message}`);
    return answer.output;
  };
  return { ...account, call };
}

type Answer = {
  readonly addon?: {
    readonly status: string;
    readonly addonVersion: string;
    readonly addonArn: string;
    readonly podIdentityAssociations: readonly string[];
  };
  readonly addons?: readonly (string | AddonAnswer)[];
  readonly update?: { readonly id: string; readonly status: string };
  readonly associations?: readonly object[];
};

type AddonAnswer = {
  readonly addonName: string;
  readonly addonVersions: readonly {
    readonly addonVersion: string;
    readonly compatibilities: readonly { readonly clusterVersion: string; readonly defaultVersion: boolean }[];
  }[];
};

test('an add-on is created, updated and deleted, each within a minute', async () => {
  const { call, clock } = world();
  const addonName = 'vpc-cni';
  const { addon } = await call('CreateAddon', { addonName, addonVersion: 'v1.16.2-eksbuild.1' });
  expect(addon).toMatchObject({
    status: 'CREATING',
    addonVersion: 'v1.16.2-eksbuild.1',
    publisher: 'eks',
    owner: 'aws',
  });
  await clock.advance(minutes(1));
  expect((await call('DescribeAddon', { addonName })).addon?.status).toBe('ACTIVE');
  const { update } = await call('UpdateAddon', { addonName, addonVersion: 'v1.18.3-eksbuild.3' });
  expect(update).toMatchObject({
    status: 'InProgress',
    type: 'AddonUpdate',
    params: [{ type: 'AddonVersion', value: 'v1.18.3-eksbuild.3' }],
  });
  expect((await call('DescribeAddon', { addonName })).addon).toMatchObject({
    status: 'UPDATING',
    addonVersion: 'v1.16.2-eksbuild.1',
  });
  await expect(call('UpdateAddon', { addonName })).rejects.toThrow('ResourceInUseException');
  await clock.advance(minutes(1));
  const asked = { name: clusterName, addonName, updateId: update?.id };
  expect((await call('DescribeUpdate', asked)).update?.status).toBe('Successful');
  expect(await call('ListUpdates', asked)).toEqual({ updateIds: [update?.id] });
  expect((await call('DescribeAddon', { addonName })).addon?.addonVersion).toBe('v1.18.3-eksbuild.3');
  expect((await call('DeleteAddon', { addonName })).addon?.status).toBe('DELETING');
  await clock.advance(minutes(1));
  await expect(call('DescribeAddon', { addonName })).rejects.toThrow('No addon: vpc-cni found in cluster: my-cluster');
});

test('an add-on is made once, also with the same token again', async () => {
  const { call } = world();
  const request = { addonName: 'coredns', clientRequestToken: 'once' };
  await call('CreateAddon', request);
  await call('CreateAddon', request);
  expect((await call('ListAddons', {})).addons).toEqual(['coredns']);
  await expect(call('CreateAddon', { addonName: 'coredns' })).rejects.toThrow('Addon already exists.');
});

test('pod identity associations of an add-on follow it', async () => {
  const { call, clock } = world();
  const addonName = 'aws-ebs-csi-driver';
  const first = { serviceAccount: 'a', roleArn };
  await call('CreateAddon', { addonName, podIdentityAssociations: [first] });
  expect((await call('ListPodIdentityAssociations', {})).associations).toMatchObject([
    { namespace: 'kube-system', serviceAccount: 'a' },
  ]);
  await clock.advance(minutes(1));
  await expect(
    call('UpdateAddon', { addonName, podIdentityAssociations: [first, { serviceAccount: 'b', roleArn: 'x' }] }),
  ).rejects.toThrow('does not exist');
  expect((await call('DescribeAddon', { addonName })).addon?.podIdentityAssociations).toHaveLength(1);
  await call('UpdateAddon', { addonName, podIdentityAssociations: [{ serviceAccount: 'b', roleArn }] });
  expect((await call('ListPodIdentityAssociations', {})).associations).toMatchObject([{ serviceAccount: 'b' }]);
  await clock.advance(minutes(1));
  await call('DeleteAddon', { addonName });
  expect((await call('ListPodIdentityAssociations', {})).associations).toEqual([]);
});

for (const { fact, request, message } of [
  {
    fact: 'that EKS does not have',
    request: { addonName: 'other' },
    message: 'other specified is not supported in 1.28',
  },
  {
    fact: 'of a later minor',
    request: { addonName: 'coredns', addonVersion: 'v1.12.1-eksbuild.2' },
    message: 'version specified is not supported',
  },
  {
    fact: 'of another cluster',
    request: { addonName: 'coredns', clusterName: 'other' },
    message: 'No cluster found for name: other.',
  },
]) {
  test(`an add-on ${fact} is refused`, async () => {
    await expect(world().call('CreateAddon', request)).rejects.toThrow(message);
  });
}

test('versions of add-ons are told by minor, with one default each', async () => {
  const { call } = world();
  const { addons = [] } = await call('DescribeAddonVersions', { kubernetesVersion: '1.28' });
  expect(addons.map((each) => (each as AddonAnswer).addonName)).toContain('kube-proxy');
  for (const { addonVersions } of addons as readonly AddonAnswer[]) {
    const defaults = addonVersions.filter(({ compatibilities }) => compatibilities[0]?.defaultVersion);
    expect(defaults).toHaveLength(1);
  }
  const { addons: storage } = await call('DescribeAddonVersions', { types: ['storage'], addonName: 'vpc-cni' });
  expect(storage).toEqual([]);
});

test('the configuration of an add-on names the policy that its service account needs', async () => {
  const { call } = world();
  const request = { addonName: 'vpc-cni', addonVersion: 'v1.16.2-eksbuild.1' };
  expect(await call('DescribeAddonConfiguration', request)).toMatchObject({
    podIdentityConfiguration: [
      { serviceAccount: 'aws-node', recommendedManagedPolicies: ['arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy'] },
    ],
  });
});

test('an add-on takes tags by its ARN', async () => {
  const { call } = world();
  const { addon } = await call('CreateAddon', { addonName: 'coredns', tags: { team: 'a' } });
  const resourceArn = addon?.addonArn;
  await call('TagResource', { resourceArn, tags: { env: 'b' } });
  expect(await call('ListTagsForResource', { resourceArn })).toEqual({ tags: { team: 'a', env: 'b' } });
});
