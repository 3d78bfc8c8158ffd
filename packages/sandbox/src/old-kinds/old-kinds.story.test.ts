import {
  awsNodeTemplates,
  type Condition,
  type EC2NodeClass,
  ec2NodeClasses,
  instant,
  type KubernetesObject,
  nodePools,
  provisioners,
} from '@nodewright/apis';
import { historyOf } from '@nodewright/aws-endpoints';
import { forgetfulLedger, seededRandom, virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { createSandbox } from '../sandbox.ts';

type StatusHolder = KubernetesObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

const template = (spec: object): KubernetesObject =>
  ({
    apiVersion: 'karpenter.k8s.aws/v1alpha1',
    kind: 'AWSNodeTemplate',
    metadata: { name: 'default', labels: { team: 'a' } },
    spec,
  }) as KubernetesObject;

const provisioner = (spec: object): KubernetesObject =>
  ({
    apiVersion: 'karpenter.sh/v1alpha5',
    kind: 'Provisioner',
    metadata: { name: 'default' },
    spec: { providerRef: { name: 'default' }, ...spec },
  }) as KubernetesObject;

const key = { name: 'default' };

async function aSandbox() {
  const time = virtualTime(instant(Date.UTC(2022, 11, 15)));
  const sandbox = await createSandbox({
    ...time,
    random: seededRandom(1),
    clusterName: 'red',
    kubernetesVersion: '1.23',
    region: 'us-east-1',
    zones: ['us-east-1a'],
    releases: historyOf([]),
    ledger: forgetfulLedger(),
  });
  await time.finish(sandbox.start());
  const { admin } = sandbox;
  const sleep = (ms: number) => time.finish(time.clock.sleep(ms));
  const done = async <T>(work: Promise<T>): Promise<T> => {
    const result = await time.finish(work);
    await sleep(1000);
    return result;
  };
  return {
    sandbox,
    admin,
    sleep,
    done,
  };
}

const upgradeRequest = (version: string) => ({
  method: 'POST',
  path: '/clusters/red/updates',
  headers: {
    'content-type': 'application/json',
    authorization:
      'AWS4-HMAC-SHA256 Credential=sandbox/20221215/us-east-1/eks/aws4_request, SignedHeaders=host, Signature=0',
  },
  body: Buffer.from(JSON.stringify({ version })),
});

const reasonOf = (object: StatusHolder | undefined): string | undefined => object?.status?.conditions?.[0]?.reason;

test('an EC2NodeClass follows its AWSNodeTemplate: made, changed, made again, gone', async () => {
  const { admin, done, sandbox } = await aSandbox();
  const nodeClass = () => done(admin.get(ec2NodeClasses, key));
  await done(admin.create(awsNodeTemplates, template({ amiFamily: 'AL2-v20220824' })));
  const made = await nodeClass();
  expect(made?.spec.amiSelectorTerms).toEqual([{ alias: 'al2@v20220824' }]);
  expect(made?.spec.role).toBe('KarpenterNodeRole-red');
  expect(made?.metadata).toMatchObject({ labels: { team: 'a' }, ownerReferences: [{ kind: 'AWSNodeTemplate' }] });

  const merge = { type: 'merge', patch: { spec: { amiFamily: 'Bottlerocket-v1.9.1' } } } as const;
  await done(admin.patch(awsNodeTemplates, key, merge));
  expect((await nodeClass())?.spec.amiSelectorTerms).toEqual([{ alias: 'bottlerocket@v1.9.1' }]);

  await done(admin.delete(ec2NodeClasses, key));
  expect((await nodeClass())?.metadata.uid).not.toBe(made?.metadata.uid);

  await done(admin.delete(awsNodeTemplates, key));
  expect(await nodeClass()).toBeUndefined();
  sandbox.stop();
});

test('what others change on the EC2NodeClass stays until the AWSNodeTemplate changes', async () => {
  const { admin, done, sandbox } = await aSandbox();
  await done(admin.create(awsNodeTemplates, template({ amiFamily: 'AL2' })));
  await done(admin.patch(ec2NodeClasses, key, { type: 'merge', patch: { spec: { role: 'other' } } }));
  expect((await done(admin.get(ec2NodeClasses, key)))?.spec.role).toBe('other');
  await done(admin.patch(awsNodeTemplates, key, { type: 'merge', patch: { spec: { tags: { a: 'b' } } } }));
  expect((await done(admin.get(ec2NodeClasses, key)))?.spec).toMatchObject({
    role: 'KarpenterNodeRole-red',
    tags: { a: 'b' },
  });
  sandbox.stop();
});

test('a NodePool follows its Provisioner, whose kubelet settings go to the EC2NodeClass', async () => {
  const { admin, done, sandbox } = await aSandbox();
  await done(admin.create(awsNodeTemplates, template({})));
  await done(admin.create(provisioners, provisioner({ kubeletConfiguration: { maxPods: 20 }, weight: 7 })));
  expect((await done(admin.get(nodePools, key)))?.spec).toMatchObject({
    weight: 7,
    template: { spec: { nodeClassRef: { kind: 'EC2NodeClass', name: 'default' } } },
  });
  expect((await done(admin.get(ec2NodeClasses, key)))?.spec).toMatchObject({ kubelet: { maxPods: 20 } });
  await done(admin.delete(provisioners, key));
  expect(await done(admin.get(nodePools, key))).toBeUndefined();
  expect((await done(admin.get(ec2NodeClasses, key)))?.spec).not.toHaveProperty('kubelet');
  sandbox.stop();
});

test('an EC2NodeClass that was there before is left alone, and the AWSNodeTemplate says so', async () => {
  const { admin, done, sandbox } = await aSandbox();
  const tags = [{ tags: { a: 'b' } }];
  const before: EC2NodeClass = {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: key,
    spec: {
      role: 'mine',
      amiSelectorTerms: [{ alias: 'al2@latest' }],
      subnetSelectorTerms: tags,
      securityGroupSelectorTerms: tags,
    },
  };
  await done(admin.create(ec2NodeClasses, before));
  await done(admin.create(awsNodeTemplates, template({})));
  expect((await done(admin.get(ec2NodeClasses, key)))?.spec.role).toBe('mine');
  expect(reasonOf(await done(admin.get(awsNodeTemplates, key)))).toBe('NotRewritten');
  await done(admin.delete(awsNodeTemplates, key));
  expect((await done(admin.get(ec2NodeClasses, key)))?.spec.role).toBe('mine');
  sandbox.stop();
});

test('the images of Ubuntu follow the control plane', async () => {
  const { admin, done, sandbox, sleep } = await aSandbox();
  await done(admin.create(awsNodeTemplates, template({ amiFamily: 'Ubuntu' })));
  const parameter = async () => (await done(admin.get(ec2NodeClasses, key)))?.spec.amiSelectorTerms[0]?.ssmParameter;
  expect(await parameter()).toContain('/1.23/');
  await sandbox.aws.handle(upgradeRequest('1.24'), new AbortController().signal);
  await sleep(15 * 60_000);
  expect(await parameter()).toContain('/1.24/');
  sandbox.stop();
});

test('the status of the EC2NodeClass is shown on the AWSNodeTemplate', async () => {
  const { admin, done, sandbox } = await aSandbox();
  await done(admin.create(awsNodeTemplates, template({})));
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'Fine', message: '', lastTransitionTime: '2022-12-15T00:00:00Z' },
  ];
  const subresource = { subresource: 'status' } as const;
  await done(admin.patch(ec2NodeClasses, key, { type: 'merge', patch: { status: { conditions } } }, subresource));
  expect(reasonOf(await done(admin.get(awsNodeTemplates, key)))).toBe('Fine');
  sandbox.stop();
});

test.each([
  {
    fact: 'amiVersion',
    spec: { amiFamily: 'Bottlerocket', amiVersion: 'v1.9.1' },
    says: 'amiFamily: Bottlerocket-v1.9.1',
  },
  {
    fact: 'a remark in the age',
    spec: { amiSelector: { minimumAgeDuration: '10d  // metav1.Duration' } },
    says: 'write 10d # metav1.Duration',
  },
  { fact: 'an age of another unit', spec: { amiSelector: { minimumAgeDuration: '10y' } }, says: 'an age such as 10d' },
  { fact: 'Custom without images', spec: { amiFamily: 'Custom' }, says: 'has no images of its own' },
  { fact: 'an id that is none', spec: { amiSelector: { 'aws-ids': 'image-1' } }, says: 'amiSelectorTerms' },
])('$fact is refused with what to write', async ({ spec, says }) => {
  const { admin, done, sandbox } = await aSandbox();
  const refused = admin.create(awsNodeTemplates, template(spec)).catch((error: unknown) => error);
  expect(String(await done(refused))).toContain(says);
  expect(await done(admin.get(ec2NodeClasses, key))).toBeUndefined();
  sandbox.stop();
});

test('a Provisioner without a template is refused', async () => {
  const { admin, done, sandbox } = await aSandbox();
  const refused = admin.create(provisioners, provisioner({ providerRef: undefined })).catch((error: unknown) => error);
  expect(String(await done(refused))).toContain('spec.providerRef');
  sandbox.stop();
});
